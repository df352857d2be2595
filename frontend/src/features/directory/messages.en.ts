export const en = {
  directory: {
    title: 'Fitness Coaches',
    lead: 'Find somebody whose training speaks to you.',
    search: 'Search coaches',
    searchPlaceholder: 'Name, bio or specialty',
    specialty: 'Specialty',
    allSpecialties: 'All specialties',
    list: 'Coaches',
    more: (n: number) => `+${n} more`,
    noMatch: 'No coach matches this search.',
    clear: 'Clear the search',
    empty: 'No coaches yet. Be the first one here.',
    becomeCoach: 'Become a coach',
    notFoundTitle: 'Coach Not Found',
    notFoundText: "The coach you're looking for doesn't exist.",
    browse: 'Browse Coaches',
  },
} as const;
