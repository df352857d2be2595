export const en = {
  unsubscribe: {
    title: 'Unsubscribe from e-mails',
    /** Which mails will be switched off. */
    kinds: {
      subscriptions: 'E-mails about subscriptions: confirmations and new subscribers.',
      security: 'E-mails about security: sign-ins from new devices.',
    },
    submit: 'Unsubscribe',
    busy: 'Unsubscribing...',
    done: 'You will get no more of these e-mails.',
    failed: 'Failed to unsubscribe. Please try again.',
    badLink: 'This link is not valid. It may have been cut off by your e-mail program.',
    settings: 'Go to your settings',
  },
} as const;
