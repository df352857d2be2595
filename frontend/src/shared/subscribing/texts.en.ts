/** Subscribe, Unsubscribe and what comes of it, for every feature that has these buttons. */
export const en = {
  subscribing: {
    subscribe: 'Subscribe',
    busy: 'Subscribing...',
    subscribeTo: (coach: string) => `Subscribe to ${coach}`,
    unsubscribe: 'Unsubscribe',
    unsubscribeFrom: (coach: string) => `Unsubscribe from ${coach}`,
    done: (coach: string) => `You are now subscribed to ${coach}!`,
    failed: 'Failed to subscribe. Please try again.',
    coachNotReady: (coach: string) => `${coach} cannot be paid yet. Please try again later.`,
    priceNotSet: (coach: string) => `${coach} has not set a price yet. Please try again later.`,
    outcomeUnknown: 'The payment service has not answered in time. Please try again in a moment.',
    askTitle: 'Unsubscribe?',
    ask: (coach: string) =>
      `Are you sure you want to unsubscribe from ${coach}? You will lose access to subscriber-only content.`,
    keep: 'Keep Subscription',
    noPrice: 'Nobody can subscribe until you set a price.',
  },
} as const;
