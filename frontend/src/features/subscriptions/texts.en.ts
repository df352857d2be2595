export const en = {
  subscriptions: {
    subscribe: 'Subscribe',
    subscribing: 'Subscribing...',
    subscribeTo: (coach: string) => `Subscribe to ${coach}`,
    unsubscribe: 'Unsubscribe',
    unsubscribeFrom: (coach: string) => `Unsubscribe from ${coach}`,
    panel: 'Subscription',
    perMonth: 'per month',
    terms: 'Cancel anytime, No hidden fees',
    subscribed: 'You are subscribed.',
    unavailable: 'Subscribing is not available now.',
    loginToSubscribe: 'Please log in to subscribe',
    subscribeDone: (coach: string) => `You are now subscribed to ${coach}!`,
    unsubscribeDone: (coach: string) => `You have successfully unsubscribed from ${coach}.`,
    subscribeFailed: 'Failed to subscribe. Please try again.',
    updateFailed: 'Failed to update subscription. Please try again.',
    dashboardLink: (n: number, shown: string) =>
      n === 1 ? '1 subscriber · Dashboard' : `${shown} subscribers · Dashboard`,
    dashboard: 'Dashboard',
  },
} as const;
