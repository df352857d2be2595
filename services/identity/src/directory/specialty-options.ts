/** The options of sign-up, then the further ones (PEOPLE-13). */
export const SPECIALTY_OPTIONS: readonly string[] = [
  ...['Weight Training', 'Cardio', 'Yoga', 'Pilates', 'CrossFit', 'Running', 'Swimming', 'Martial Arts'],
  ...['Dance', 'Nutrition'],
  ...['Boxing', 'Cycling', 'Strength Training', 'Flexibility', 'HIIT'],
];

const alphabetical = new Intl.Collator('en').compare;

/** The options and what users added, sorted; of those that differ by case only the first, an option before others. */
export function allSpecialties(added: readonly string[]): string[] {
  const byKey = new Map<string, string>();
  for (const specialty of [...SPECIALTY_OPTIONS, ...added]) {
    const key = specialty.toLowerCase();
    if (!byKey.has(key)) byKey.set(key, specialty);
  }
  return [...byKey.values()].sort(alphabetical);
}
