import { en as standing } from '../../shared/subscribing/standing-texts.en.js';

export const en = {
  ...standing,
  mine: {
    title: 'My Subscriptions',
    count: (n: number, more: boolean) =>
      more ? `More than ${n} subscriptions` : n === 1 ? '1 subscription' : `${n} subscriptions`,
    list: 'Subscriptions',
    active: 'Active',
    ending: 'Ending',
    unpaid: 'Payment failed',
    unsubscribing: 'Unsubscribing...',
    subscribedOn: (date: string) => `Subscribed on ${date}`,
    renewsOn: (date: string) => `Renews on ${date}`,
    paysNothing: 'Free',
    endedList: 'Ended',
    over: 'Ended',
    disputed: 'Your bank told us that you disputed a payment, so this subscription has ended.',
    refunded: (amount: string, date: string) => `${amount} was paid back on ${date}.`,
    viewProfile: 'View Profile',
    viewProfileOf: (coach: string) => `View Profile of ${coach}`,
    findMore: 'Find More Coaches',
    empty: 'No subscriptions yet',
    emptyText: 'Subscribe to a coach to read what they publish for subscribers only.',
    browse: 'Browse Coaches',
    done: (coach: string) => `You have successfully unsubscribed from ${coach}`,
    failed: 'Failed to unsubscribe. Please try again.',
  },
} as const;
