/** What has become of a subscription, Resume and Unsubscribe. The feed does without. */
export const en = {
  standing: {
    panel: 'Subscription',
    terms: 'Cancel anytime, No hidden fees',
    subscribed: 'You are subscribed.',
    unavailable: 'Subscribing is not available now.',
    unsubscribeDone: (coach: string) => `You have successfully unsubscribed from ${coach}.`,
    pays: (amount: string) => `You pay ${amount} per month`,
    paysIfResumed: (amount: string) => `If you resume, you pay ${amount} per month.`,
    accessUntil: (date: string) => `Access until ${date}`,
    againThen: 'You can subscribe again then.',
    unpaid: (date: string) => `Your last payment failed. You keep access until ${date}.`,
    /** The coach's own, not what the viewer pays. */
    forOthers: (amount: string) => `Price for new subscribers: ${amount} per month`,
    resume: 'Resume',
    resuming: 'Resuming...',
    resumeOf: (coach: string) => `Resume subscription to ${coach}`,
    resumed: (coach: string) => `Your subscription to ${coach} goes on.`,
    unsubscribe: 'Unsubscribe',
    unsubscribeFrom: (coach: string) => `Unsubscribe from ${coach}`,
    updateFailed: 'Failed to update subscription. Please try again.',
    askTitle: 'Unsubscribe?',
    ask: (coach: string) =>
      `Are you sure you want to unsubscribe from ${coach}? You will lose access to subscriber-only content.`,
    /** After `ask`, where the subscription is paid. */
    paidUntil: (date: string) => `You keep access until ${date}, and nothing more is charged.`,
    paidUntilEnd: 'You keep access until the end of the paid month, and nothing more is charged.',
    /** The same, where the last payment is missing. */
    endsNow: 'Access ends now, and the payment that failed is not charged any more.',
    keep: 'Keep Subscription',
  },
} as const;
