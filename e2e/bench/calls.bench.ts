import { setTimeout as delay } from 'node:timers/promises';
import { quantile, type Load, type Side, startPulsoSide } from './calls-side.js';
import { startBareFeed, startSelects } from './calls-yardsticks.js';
import type { TreeCpu } from './process-tree.js';

const SECONDS = Number(process.env.BENCH_SECONDS ?? 4);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const IDLE_SECONDS = Number(process.env.BENCH_IDLE_SECONDS ?? 15);
/** V8 compiles what is called often: the first ten seconds of a write cost twice what it costs later. */
const WARM_UP_SECONDS = 3;
const MAX_WARM_UP_ROUNDS = 6;
/** Names of calls, separated by commas; all unless given. */
const CALLS = process.env.BENCH_CALLS?.split(',');
/** How long relays and projections may work on after writes. */
const REST_TIMEOUT_MS = 20_000;
const REST_STEP_MS = 500;

/** Per request, but for the first three. */
interface Round extends TreeCpu {
  requestsPerSecond: number;
  p50: number;
  p99: number;
  /** CPU-ms of all processes, and less what they use at rest in the same time. */
  cpuMs: number;
  netCpuMs: number;
  failed: number;
}

/**
 * What calls of the API cost in CPU-ms a request over the whole process tree of `npm start`, its engines included: of one
 * checkout or of several in alternating rounds, and of yardsticks in the same rounds. Work that goes on behind the answer
 * counts. Each figure is the least, the median and the most of the rounds.
 *
 * @param checkouts folders
 */
export async function runCallsBench(checkouts: readonly string[], ports: readonly number[]): Promise<object> {
  const sides: Side[] = [];
  try {
    let sample = '';
    for (const [index, root] of checkouts.entries()) {
      const side = await startPulsoSide(root, ports[index]!);
      sides.push(side);
      sample ||= side.sample;
    }
    sides.push(await startBareFeed(sample), await startSelects());
    console.log('Seeded.');
    const idle = await measureIdle(sides);
    const calls = await measure(sides, idle);
    return { seconds: SECONDS, idleCpuMsPerSecond: Object.fromEntries(idle), calls };
  } finally {
    await Promise.all(sides.map((side) => side.stop()));
  }
}

/** CPU-ms a second at rest, by the side's name. */
async function measureIdle(sides: readonly Side[]): Promise<Map<string, number>> {
  for (const side of sides) await untilAtRest(side);
  const before = sides.map(({ cpu }) => total(cpu()));
  await delay(IDLE_SECONDS * 1_000);
  return new Map(
    sides.map(({ name, cpu }, index) => [name, rounded((total(cpu()) - before[index]!) / IDLE_SECONDS)]),
  );
}

async function measure(sides: readonly Side[], idle: ReadonlyMap<string, number>): Promise<object> {
  const names = [...new Set(sides.flatMap(({ loads }) => [...loads.keys()]))].filter(
    (name) => CALLS?.includes(name) ?? true,
  );
  const report: Record<string, Record<string, object>> = {};
  for (const name of names) {
    const having = sides.filter(({ loads }) => loads.has(name));
    const rounds = new Map<Side, Round[]>(having.map((side) => [side, []]));
    for (const side of having) await warmUp(side, name);
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const side of having) rounds.get(side)!.push(await measureRound(side, name, idle.get(side.name)!));
    }
    report[name] = Object.fromEntries(having.map((side) => [side.name, summary(rounds.get(side)!)]));
    console.log(name, JSON.stringify(report[name]));
  }
  return report;
}

/** Until a round is no more than a twentieth cheaper than the one before it. */
async function warmUp(side: Side, call: string): Promise<void> {
  for (let [round, last] = [0, Infinity]; round < MAX_WARM_UP_ROUNDS; round += 1) {
    const before = total(side.cpu());
    const { requests } = await side.loads.get(call)!(WARM_UP_SECONDS);
    const cost = (total(side.cpu()) - before) / requests;
    if (cost > last * 0.95) return;
    last = cost;
  }
}

async function measureRound(side: Side, call: string, idleMsPerS: number): Promise<Round> {
  await untilAtRest(side);
  const [before, began] = [side.cpu(), performance.now()];
  const load: Load = await side.loads.get(call)!(SECONDS);
  await untilAtRest(side);
  const after = side.cpu();
  const elapsedS = (performance.now() - began) / 1_000;
  const { requests, requestsPerSecond, p50, p99, failed } = load;
  const spent = (kind: keyof TreeCpu) => (after[kind] - before[kind]) / requests;
  const cpuMs = (total(after) - total(before)) / requests;
  return {
    requestsPerSecond,
    p50,
    p99,
    cpuMs,
    netCpuMs: cpuMs - (idleMsPerS * elapsedS) / requests,
    node: spent('node'),
    documents: spent('documents'),
    postgres: spent('postgres'),
    failed,
  };
}

/** Until a step of time takes no more CPU than the one before it. Goes on after a limit: some side may never rest. */
async function untilAtRest({ cpu }: Side): Promise<void> {
  const end = performance.now() + REST_TIMEOUT_MS;
  for (let [at, last] = [total(cpu()), Infinity]; performance.now() < end;) {
    await delay(REST_STEP_MS);
    const now = total(cpu());
    const spent = now - at;
    if (spent <= last * 1.1 && spent < REST_STEP_MS / 4) return;
    [at, last] = [now, spent];
  }
}

const total = (cpu: TreeCpu) => cpu.node + cpu.documents + cpu.postgres;
const rounded = (figure: number) => Number(figure.toPrecision(3));

/** `[least, median, most]` of each figure. */
function summary(rounds: readonly Round[]): object {
  const figures = Object.keys(rounds[0]!) as (keyof Round)[];
  return Object.fromEntries(
    figures.map((figure) => {
      const sorted = rounds.map((round) => round[figure]).sort((a, b) => a - b);
      return [figure, [0, 0.5, 1].map((share) => rounded(quantile(sorted, share)))];
    }),
  );
}
