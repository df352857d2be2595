/** Which of the ids, each once, `known` has an answer for, and which are to be read. */
export function knownAmong<V>(
  ids: Iterable<string>,
  known: (id: string) => V | undefined,
): { found: Map<string, V>; missing: string[] } {
  const found = new Map<string, V>();
  const missing: string[] = [];
  for (const id of new Set(ids)) {
    const value = known(id);
    if (value === undefined) missing.push(id);
    else found.set(id, value);
  }
  return { found, missing };
}
