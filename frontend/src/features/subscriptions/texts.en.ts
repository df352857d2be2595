import { en as subscribing } from '../../shared/subscribing/texts.en.js';

export const en = {
  ...subscribing,
  subscriptions: {
    perMonth: 'per month',
    loginToSubscribe: 'Please log in to subscribe',
  },
} as const;
