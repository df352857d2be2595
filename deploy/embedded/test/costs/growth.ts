import type { Costs } from './hear-costs.js';

const COUNTS = ['rpcs', 'statements', 'commands', 'deliveries'] as const;
/** Numbers and times have not always as many digits. */
const BYTES_SPREAD = 64;

/** What costs more than in the table: `statements social SELECT follows: 2 instead of 1`. Empty where nothing does. */
export function growthOf(costs: Costs, told: Costs | undefined): string[] {
  if (!told) return ['is not in the table'];
  const grown = COUNTS.flatMap((kind) =>
    Object.entries(costs[kind])
      .filter(([name, count]) => count > (told[kind][name] ?? 0))
      .map(([name, count]) => `${kind} ${name}: ${count} instead of ${told[kind][name] ?? 0}`),
  );
  if (costs.rows > told.rows) grown.push(`rows written: ${costs.rows} instead of ${told.rows}`);
  if (costs.bytes > told.bytes + BYTES_SPREAD)
    grown.push(`bytes written: ${costs.bytes} instead of ${told.bytes}`);
  return grown;
}

/** The least of each fact. */
export function least(one: Costs, other: Costs): Costs {
  const counts = COUNTS.map((kind) => {
    const common = Object.keys(one[kind]).filter((name) => other[kind][name] !== undefined);
    const least = common.map((name) => [name, Math.min(one[kind][name]!, other[kind][name]!)] as const);
    return [kind, Object.fromEntries(least)] as const;
  });
  return {
    ...(Object.fromEntries(counts) as Pick<Costs, (typeof COUNTS)[number]>),
    rows: Math.min(one.rows, other.rows),
    bytes: Math.min(one.bytes, other.bytes),
  };
}

/** The table as it is written: in the order of its names, so that it changes only where a figure does. */
export const tableText = (table: object): string => `${JSON.stringify(inOrder(table), null, 2)}\n`;

function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, inOrder((value as Record<string, unknown>)[name])]));
}
