/** Of dialogs and pages that are read when they are opened, so that a first page does not bring them. */
export const en = {
  search: {
    title: 'Search people',
    field: 'Name or username',
    hint: (n: number) => `Type at least ${n} letters of a name or username.`,
    results: 'People found',
    found: (n: number, more: boolean) =>
      more ? `More than ${n} people found` : n === 1 ? '1 person found' : `${n} people found`,
    none: (q: string) => `Nobody found for “${q}”.`,
    browseCoaches: 'Browse coaches',
  },
  lists: {
    titles: { followers: 'Followers', following: 'Following', blocks: 'Blocked people' },
    likes: 'Likes',
    unblock: (name: string) => `Unblock ${name}`,
    noLikes: 'No likes to show.',
    empty: {
      followers: 'No followers yet.',
      following: 'Not following anyone yet.',
      blocks: 'You have not blocked anyone.',
    },
  },
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
