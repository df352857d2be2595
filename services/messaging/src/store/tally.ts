/** How often each value is there. */
export function tally(values: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/** The sum of the counts of those that `among` has. */
export function totalOf(
  counts: ReadonlyMap<string, number>,
  among: Pick<ReadonlyMap<string, unknown>, 'has'>,
): number {
  let sum = 0;
  for (const [value, count] of counts) if (among.has(value)) sum += count;
  return sum;
}

export function sumOf(counts: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const count of counts.values()) sum += count;
  return sum;
}
