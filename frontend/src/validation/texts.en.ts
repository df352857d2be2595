/** Of an account's fields, and their rules; loaded with the forms that have them. */
export const en = {
  password: {
    show: 'Show password',
    hide: 'Hide password',
    current: 'Current password',
    new: 'New password',
    confirm: 'Confirm password',
  },
  fields: { name: 'Name', username: 'Username', email: 'Email', password: 'Password', bio: 'Bio' },
  username: { hint: 'Letters, numbers and dashes; it becomes your profile URL' },
  email: { hint: 'Only you and the coaches you subscribe to can see this.' },
  rules: {
    required: (field: string) => `${field} is required`,
    passwordCommon: 'This password is too common. Please choose another one.',
    usernameTaken: 'This username is already taken',
    tooManyRenames: 'You can change your username 3 times in 30 days.',
    tooManyFormerUsernames:
      'Your last 3 usernames are still kept for you. You can take one of them back, or change again later.',
    wrongPassword: 'This is not your current password',
    emailTaken: 'An account with this email already exists',
    invisible: 'Please leave out combined emoji and invisible characters',
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
