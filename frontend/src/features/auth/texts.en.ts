export const en = {
  login: {
    title: 'Sign in to your account',
    prompt: 'New to Pulso?',
    createAccount: 'Create a new account',
    submit: 'Sign in',
    busy: 'Signing in...',
    failed: 'Failed to log in. Please check your credentials.',
    disabled: 'This account has been disabled.',
  },
  signUp: {
    title: 'Create your account',
    prompt: 'Already have an account?',
    login: 'Sign in to your account',
    useUsername: (username: string) => `Use “${username}”`,
    isCoach: 'I am a coach',
    isCoachHint: 'Coaches can publish for subscribers only and list specialties.',
    bioHint: 'A few words about you (optional)',
    specialtiesHint: 'Choose what you teach',
    submit: 'Create account',
    busy: 'Creating account...',
    failed: 'Failed to create an account. Please try again.',
  },
} as const;
