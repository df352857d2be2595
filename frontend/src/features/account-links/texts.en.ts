export const en = {
  forgot: {
    title: 'Forgot your password?',
    text: 'Enter your email address, and we will send you a link to set a new password.',
    submit: 'Send link',
    busy: 'Sending...',
    sent: (email: string) => `If ${email} has an account, a link is on its way. It works for one hour.`,
    nothingThere: 'Nothing there? Look in your spam folder, or send it again.',
    failed: 'The link could not be sent. Please try again.',
    back: 'Back to sign in',
  },
  reset: {
    title: 'Set a new password',
    submit: 'Set password',
    busy: 'Saving...',
    done: 'Your password is set. You have been signed out on all devices. Your passkeys are removed for your safety: add them again in the settings.',
    failed: 'Your password could not be set. Please try again.',
    badLink: 'This link does not work any more. It works once, and for one hour.',
    newLink: 'Get a new link',
    signIn: 'Sign in',
  },
  verify: {
    title: 'Verify your email address',
    text: 'Press the button to confirm that this address is yours.',
    submit: 'Verify email address',
    busy: 'Verifying...',
    done: 'Thank you. Your email address is verified.',
    failed: 'Your email address could not be verified. Please try again.',
    badLink:
      'This link does not work any more. It may be older than a day or used already, or the address was changed since.',
    newLink: 'Get a new link in your settings',
    goOn: 'Go to Pulso',
  },
} as const;
