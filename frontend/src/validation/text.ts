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

const BLANK = /^[\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** Nobody would see anything of it: white space, control, format and other invisible characters alone, as the server has it. */
export const isBlank = (text: string): boolean => BLANK.test(text);

/** Format characters: what joins emoji, and what makes look-alikes. The server refuses them in names. */
export const hasInvisible = (text: string): boolean => /\p{Cf}/u.test(text.trim());

/** Length in code points, the way the limits count. */
export const codePoints = (text: string): number => [...text.trim()].length;
