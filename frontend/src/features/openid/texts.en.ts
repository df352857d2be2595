export const en = {
  openid: {
    or: 'or',
    /** Where its name cannot be read. */
    provider: 'the provider',
    signIn: (provider: string) => `Sign in with ${provider}`,
    logInFailed: (provider: string) => `Failed to log in with ${provider}.`,
    signUpFailed: (provider: string) => `Failed to sign up with ${provider}.`,
    taken: (provider: string) =>
      `There is already an account with this email address, and it cannot be joined with ${provider}. Sign in with its password.`,
    denied: (provider: string) => `The sign-in with ${provider} was cancelled.`,
    disabled: 'This account has been disabled.',
    away: (provider: string) => `${provider} is not answering right now. Please try again in a moment.`,
  },
} as const;
