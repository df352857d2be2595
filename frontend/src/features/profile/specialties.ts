const QUICK_PICKS = 12;
const MATCHES = 8;

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Adds a trimmed, non-empty specialty unless the list contains it (PEOPLE-11). */
export function addSpecialty(all: readonly string[], chosen: readonly string[], text: string): string[] {
  const specialty = text.trim();
  if (specialty === '' || chosen.some((one) => same(one, specialty))) return [...chosen];
  const known = all.find((one) => same(one, specialty));
  return [...chosen, known ?? specialty];
}

/** What to suggest: up to 12 quick picks, or up to 8 matches of what is being typed. */
export function suggestSpecialties(
  all: readonly string[],
  chosen: readonly string[],
  text: string,
): string[] {
  const query = text.trim().toLowerCase();
  const free = all.filter((one) => !chosen.some((taken) => same(taken, one)));
  if (query === '') return free.slice(0, QUICK_PICKS);
  return free.filter((one) => one.toLowerCase().includes(query)).slice(0, MATCHES);
}
