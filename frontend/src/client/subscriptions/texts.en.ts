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
  },
} as const;
