import { en as subscribing } from '../../shared/subscribing/texts.en.js';

export const en = {
  ...subscribing,
  subscriptions: {
    panel: 'Subscription',
    perMonth: 'per month',
    terms: 'Cancel anytime, No hidden fees',
    subscribed: 'You are subscribed.',
    unavailable: 'Subscribing is not available now.',
    loginToSubscribe: 'Please log in to subscribe',
    unsubscribeDone: (coach: string) => `You have successfully unsubscribed from ${coach}.`,
    dashboardLink: (n: number, shown: string) =>
      n === 1 ? '1 subscriber · Dashboard' : `${shown} subscribers · Dashboard`,
    dashboard: 'Dashboard',
  },
} as const;
