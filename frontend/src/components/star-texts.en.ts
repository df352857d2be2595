export const en = {
  rating: {
    stars: (stars: string) => `${stars} out of 5 stars`,
    count: (n: number) => (n === 1 ? '1 review' : `${n} reviews`),
    none: 'No reviews yet',
  },
} as const;
