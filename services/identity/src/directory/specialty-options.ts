import { alphabetical, withoutRepeats } from '@pulso/platform/text/comparison-key';

/** The options of the sign-up form first, then the others (PEOPLE-13). */
export const SPECIALTY_OPTIONS: readonly string[] = [
  ...['Weight Training', 'Cardio', 'Yoga', 'Pilates', 'CrossFit', 'Running', 'Swimming', 'Martial Arts'],
  ...['Dance', 'Nutrition'],
  ...['Boxing', 'Cycling', 'Strength Training', 'Flexibility', 'HIIT'],
];

/** The options and the specialties that users added, sorted, each in one spelling: that of the option where there is one. */
export function allSpecialties(added: readonly string[]): string[] {
  return withoutRepeats([...SPECIALTY_OPTIONS, ...added]).sort(alphabetical);
}
