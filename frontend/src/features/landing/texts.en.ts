export const en = {
  landing: {
    title: 'Train together, feel the pulse',
    lead: 'Pulso is where members and coaches share their training, one honest post at a time.',
    join: 'Join Pulso',
    joinNow: 'Create your account',
    glimpseTitle: 'Who you will meet',
    glimpseCoaches: 'Some of the coaches',
    pauseVideo: 'Pause the video',
    playVideo: 'Play the video',
    coachesTitle: 'For Coaches',
    coachesText:
      'Share what you know, publish for everyone or for your subscribers only, and let members find you.',
    coachesClaim: (earnings: string) => `Top coaches earn ${earnings} a month`,
    coachesCta: 'Become a coach',
    membersTitle: 'For Members',
    membersText:
      'Find a coach who fits you, follow along, and keep a training log your friends can cheer on.',
    membersClaim: (professionals: string) => `${professionals} professionals`,
    membersCta: 'Start training',
    howTitle: 'How It Works',
    steps: [
      { title: 'Sign up', text: 'Create your account in a minute, as a member or as a coach.' },
      { title: 'Find and follow coaches', text: 'Pick the people whose training speaks to you.' },
      { title: 'Start training', text: 'Read, ask, share, and see your own log grow.' },
    ],
  },
} as const;
