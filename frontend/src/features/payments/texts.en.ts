import { en as subscribing } from '../../shared/subscribing/texts.en.js';

export const en = {
  ...subscribing,
  payments: {
    confirming: 'Confirming your payment',
    confirmingText: 'This takes a few seconds.',
    late: 'Your payment',
    lateText:
      'Your payment is not confirmed yet. This can take some minutes: you are subscribed as soon as it is. Please do not pay again.',
    lookAgain: 'Check again',
    looking: 'Checking...',
    left: 'You left the payment page. You have not been charged.',
    mend: 'Update payment method',
    due: (date: string) => `A payment for your subscriptions failed. You keep access until ${date}.`,
    payouts: 'Payouts',
    finishPayouts: 'Finish setting up payouts',
    payoutsStarted: 'Stripe still needs some details from you before you can be paid.',
    payoutsReady: 'Payouts are set up.',
    setUpPayouts: 'Set up payouts',
    payoutsFailed: 'Failed to set up payouts. Please try again.',
    openPortal: 'Open Billing Portal',
    portalFailed: 'Failed to open the billing portal. Please try again.',
    nothingPaid: 'You have not paid for a subscription yet.',
    noPayouts: 'Please set up payouts first.',
  },
} as const;
