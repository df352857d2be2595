/** The options of the sign-up form first, then the others (PEOPLE-13). */
export const SPECIALTY_OPTIONS: readonly string[] = [
  ...['Weight Training', 'Cardio', 'Yoga', 'Pilates', 'CrossFit', 'Running', 'Swimming', 'Martial Arts'],
  ...['Dance', 'Nutrition'],
  ...['Boxing', 'Cycling', 'Strength Training', 'Flexibility', 'HIIT'],
];

const alphabetical = new Intl.Collator('en').compare;

/**
 * The options and the specialties that users added, sorted. Of those that differ by case only the first is kept;
 * options come before users' own.
 */
export function allSpecialties(added: readonly string[]): string[] {
  const byKey = new Map<string, string>();
  for (const specialty of [...SPECIALTY_OPTIONS, ...added]) {
    const key = specialty.toLowerCase();
    if (!byKey.has(key)) byKey.set(key, specialty);
  }
  return [...byKey.values()].sort(alphabetical);
}
