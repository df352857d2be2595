/** The dialog of reports; loaded with it. */
export const en = {
  reporting: {
    title: 'Report',
    reason: 'What is wrong?',
    reasonRequired: 'Please choose what is wrong',
    reasons: {
      spam: 'Spam',
      harassment: 'Harassment or hate',
      nudity: 'Nudity or sexual content',
      danger: 'Danger to somebody’s health or safety',
      other: 'Something else',
    },
    note: 'Anything we should know? (optional)',
    noteName: 'Your note',
    submit: 'Send report',
    busy: 'Sending...',
    done: 'Thank you. Our moderators will take a look.',
    failed: 'Your report could not be sent. Please try again.',
  },
} as const;
