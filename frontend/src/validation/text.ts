/** Longest texts in code points, as the gateway checks them (http-api.md, "Conventions"). */
export const LIMITS = {
  name: 80,
  bio: 2000,
  post: 10_000,
  comment: 2000,
  review: 2000,
  reportNote: 1000,
  email: 254,
  specialty: 40,
  specialties: 20,
} as const;

/** Only white space, control or format characters is empty. */
export const isBlank = (text: string): boolean => /^[\s\p{Cc}\p{Cf}]*$/u.test(text);

/** Length in code points, the way the limits count. */
export const codePoints = (text: string): number => [...text.trim()].length;
