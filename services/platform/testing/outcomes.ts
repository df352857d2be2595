/** The error of a rejected promise, as `kind code`; `resolved` if it was not rejected. */
export async function outcome(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'resolved',
    (error: { kind?: string; code?: string; message: string }) =>
      error.kind ? `${error.kind} ${error.code}` : error.message,
  );
}

/** How often each value occurs. */
export function tally(values: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}
