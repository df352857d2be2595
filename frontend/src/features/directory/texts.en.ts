export const en = {
  directory: {
    title: 'Fitness Coaches',
    lead: 'Find somebody whose training speaks to you.',
    search: 'Search coaches',
    searchPlaceholder: 'Name, bio or specialty',
    specialty: 'Specialty',
    allSpecialties: 'All specialties',
    list: 'Coaches',
    followers: (n: number, shown: string) => (n === 1 ? '1 follower' : `${shown} followers`),
    posts: (n: number, shown: string) => (n === 1 ? '1 post' : `${shown} posts`),
    youPay: (price: string) => `You pay ${price} per month`,
    perMonth: (price: string) => `${price} per month`,
    noMatch: 'No coach matches this search.',
    clear: 'Clear the search',
    empty: 'No coaches yet. Be the first one here.',
    becomeCoach: 'Become a coach',
  },
} as const;
