/** The search of people; loaded with its dialog. */
export const en = {
  finding: {
    title: 'Search people',
    field: 'Name or username',
    hint: (n: number) => `Type at least ${n} letters of a name or username.`,
    results: 'People found',
    found: (n: number, more: boolean) =>
      more ? `More than ${n} people found` : n === 1 ? '1 person found' : `${n} people found`,
    none: (q: string) => `Nobody found for “${q}”.`,
    browseCoaches: 'Browse coaches',
  },
} as const;
