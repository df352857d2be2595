import {
  PayoutState,
  type Subscriber,
  type Subscription,
  SubscriptionStatus,
} from '@pulso/contracts/billing/v1/billing';
import type { GatewayClients } from '../../src/connect-services.js';
import { aUserRef, type Fake, nothingHeld, OTHER_ID, pageOf, TIME, USER_ID } from './fake-shapes.js';

export const SUBSCRIPTION_ID = '0198f2ca-1c64-7e37-8d52-4b9f0a6e3c71';

export function aSubscription(changes: Partial<Subscription> = {}): Subscription {
  return {
    id: SUBSCRIPTION_ID,
    userId: OTHER_ID,
    coachId: USER_ID,
    planType: 'monthly',
    status: SubscriptionStatus.SUBSCRIPTION_STATUS_ACTIVE,
    startDate: TIME,
    createdAt: TIME,
    cancelledAt: undefined,
    currentPeriodEnd: undefined,
    cancelAtPeriodEnd: false,
    accessUntil: undefined,
    priceMinor: 40_050,
    currency: 'MXN',
    givesAccess: true,
    paid: undefined,
    refunded: undefined,
    refundedAt: undefined,
    disputed: false,
    ...changes,
  };
}

export function aSubscriber(changes: Partial<Subscriber> = {}): Subscriber {
  return {
    user: aUserRef(),
    planType: 'monthly',
    status: SubscriptionStatus.SUBSCRIPTION_STATUS_ACTIVE,
    subscribedAt: TIME,
    givesAccess: true,
    accessUntil: undefined,
    disputed: false,
    ...changes,
  };
}

const page = (name: string) => Promise.resolve({ url: `https://pay.example/${name}` });

export function billingAnswers(): Fake<GatewayClients['billing']> {
  const ended = {
    status: SubscriptionStatus.SUBSCRIPTION_STATUS_CANCELLED,
    cancelledAt: TIME,
    accessUntil: TIME,
    givesAccess: false,
  };
  return {
    exportUser: nothingHeld,
    subscribe: ({ coachId }) => Promise.resolve({ subscription: aSubscription({ coachId }), created: true }),
    cancelSubscription: ({ coachId }) => Promise.resolve(aSubscription({ coachId, ...ended })),
    listSubscriptions: pageOf(() => ({ items: [aSubscription()], ended: [] })),
    getSubscription: ({ coachId }) => Promise.resolve(aSubscription({ coachId })),
    getStandings: ({ userIds }) =>
      Promise.resolve({
        standings: userIds.map((userId) => ({
          userId,
          subscriberCount: 3,
          subscribed: false,
          own: undefined,
        })),
      }),
    getDashboard: () =>
      Promise.resolve({
        totalSubscribers: 5,
        activeSubscriptions: 3,
        priceMinor: 40_050,
        currency: 'MXN',
        paidMonthly: [{ currency: 'MXN', amountMinor: 80_050 }],
      }),
    listSubscribers: pageOf(() => ({ items: [aSubscriber()] })),
    checkPrice: () => Promise.resolve({}),
    openCheckout: () => page('checkout'),
    ensurePrice: () => Promise.resolve({ priceId: 'price_1' }),
    openPayoutAccount: () => Promise.resolve({ accountId: 'acct_1' }),
    openOnboarding: () => page('onboarding'),
    openBillingPortal: () => page('portal'),
    openPayoutDashboard: () => page('payouts'),
    getPaymentStatus: () =>
      Promise.resolve({ paymentDueBy: undefined, payouts: PayoutState.PAYOUT_STATE_NONE }),
    takeProviderEvent: () => Promise.resolve({}),
  };
}
