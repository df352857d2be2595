import { isFoundIn, isSameTag } from '../../validation/compare.js';
import { writtenLine } from '../../text/written.js';
import { isBlank } from '../../validation/text.js';

const QUICK_PICKS = 12;
const MAX_MATCHES = 8;

/** Adds a specialty, of which something is seen, unless the list contains it (PEOPLE-11). */
export function addSpecialty(all: readonly string[], chosen: readonly string[], text: string): string[] {
  const specialty = writtenLine(text);
  if (isBlank(specialty) || chosen.some((one) => isSameTag(one, specialty))) return [...chosen];
  const known = all.find((one) => isSameTag(one, specialty));
  return [...chosen, known ?? specialty];
}

/** What to suggest: up to 12 quick picks, or up to 8 matches of what is being typed. */
export function suggestSpecialties(
  all: readonly string[],
  chosen: readonly string[],
  text: string,
): string[] {
  const free = all.filter((one) => !chosen.some((taken) => isSameTag(taken, one)));
  if (isBlank(text)) return free.slice(0, QUICK_PICKS);
  return free.filter((one) => isFoundIn(one, text)).slice(0, MAX_MATCHES);
}
