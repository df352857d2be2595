/** Subscribe and what comes of it, for every feature that has the button. */
export const en = {
  subscribing: {
    subscribe: 'Subscribe',
    busy: 'Subscribing...',
    subscribeTo: (coach: string) => `Subscribe to ${coach}`,
    done: (coach: string) => `You are now subscribed to ${coach}!`,
    failed: 'Failed to subscribe. Please try again.',
    coachNotReady: (coach: string) => `${coach} cannot be paid yet. Please try again later.`,
    priceNotSet: (coach: string) => `${coach} has not set a price yet. Please try again later.`,
    outcomeUnknown: 'The payment service has not answered in time. Please try again in a moment.',
    noPrice: 'Nobody can subscribe until you set a price.',
  },
} as const;
