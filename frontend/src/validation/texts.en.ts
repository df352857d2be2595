/** Of an account's fields, and their rules; loaded with the forms that have them. */
export const en = {
  password: { show: 'Show password', hide: 'Hide password' },
  rules: {
    email: 'Please enter a valid email address',
    passwordsDoNotMatch: 'Passwords do not match',
    passwordTooShort: (n: number) => `Password must be at least ${n} characters`,
    passwordTooLong: (n: number) => `Password must be at most ${n} characters`,
    passwordLowercase: 'Password must contain a lowercase letter',
    passwordUppercase: 'Password must contain an uppercase letter',
    passwordNumeric: 'Password must contain a number',
    passwordNonAlphanumeric: 'Password must contain a special character',
    username: (shortest: number, longest: number) =>
      `Use ${shortest} to ${longest} of a–z, 0–9 and inner dashes`,
    tooManySpecialties: (n: number) => `Choose at most ${n} specialties`,
  },
} as const;
