/** Subscribe, Unsubscribe and what comes of it, for every feature that has these buttons. */
export const en = {
  subscribing: {
    subscribe: 'Subscribe',
    busy: 'Subscribing...',
    subscribeTo: (coach: string) => `Subscribe to ${coach}`,
    unsubscribe: 'Unsubscribe',
    unsubscribeFrom: (coach: string) => `Unsubscribe from ${coach}`,
    resume: 'Resume',
    resuming: 'Resuming...',
    resumeOf: (coach: string) => `Resume subscription to ${coach}`,
    resumed: (coach: string) => `Your subscription to ${coach} goes on.`,
    updateFailed: 'Failed to update subscription. Please try again.',
    pays: (amount: string) => `You pay ${amount} per month`,
    paysIfResumed: (amount: string) => `If you resume, you pay ${amount} per month.`,
    accessUntil: (date: string) => `Access until ${date}`,
    againThen: 'You can subscribe again then.',
    unpaid: (date: string) => `Your last payment failed. You keep access until ${date}.`,
    done: (coach: string) => `You are now subscribed to ${coach}!`,
    failed: 'Failed to subscribe. Please try again.',
    coachNotReady: (coach: string) => `${coach} cannot be paid yet. Please try again later.`,
    priceNotSet: (coach: string) => `${coach} has not set a price yet. Please try again later.`,
    outcomeUnknown: 'The payment service has not answered in time. Please try again in a moment.',
    askTitle: 'Unsubscribe?',
    ask: (coach: string) =>
      `Are you sure you want to unsubscribe from ${coach}? You will lose access to subscriber-only content.`,
    /** After `ask`, where the subscription is paid. */
    paidUntil: (date: string) => `You keep access until ${date}, and nothing more is charged.`,
    paidUntilEnd: 'You keep access until the end of the paid month, and nothing more is charged.',
    keep: 'Keep Subscription',
    noPrice: 'Nobody can subscribe until you set a price.',
  },
} as const;
