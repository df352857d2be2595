import type {
  Dashboard as DashboardMessage,
  Subscriber as SubscriberMessage,
  SubscriberPage,
} from '@pulso/contracts/billing/v1/billing';
import { DELETED_USER_NAME } from '@pulso/contracts/user-status';
import { apiTime } from '../http/bodies/api-time.js';
import { apiCursor } from '../http/bodies/list-query.js';
import { toMonthlyAmount, toStatus } from '../profiles/to-own-subscription.js';
import { required, toCurrency, toUserRef } from '../user-ref/to-user-ref.js';
import type { Dashboard, Subscriber } from './dashboard.dto.js';

const NO_PRICE = { currency: 'USD', priceMinor: 0 } as const;

/** `emails` by user id: of those with access now (SUBS-27). */
export function toDashboard(
  figures: DashboardMessage,
  subscribers: SubscriberPage,
  emails: ReadonlyMap<string, string>,
): Dashboard {
  const { totalSubscribers, activeSubscriptions } = figures;
  const currency = toCurrency(figures.currency);
  const price =
    currency === null || figures.priceMinor === undefined
      ? NO_PRICE
      : { currency, priceMinor: figures.priceMinor };
  return {
    totalSubscribers,
    activeSubscriptions,
    // Whole numbers until the last step, so that no cent is lost.
    monthlyRevenue: (activeSubscriptions * price.priceMinor) / 100,
    currency: price.currency,
    monthlyByCurrency: figures.paidMonthly.map(toMonthlyAmount),
    subscribers: {
      items: subscribers.items.map((subscriber) => toSubscriber(subscriber, emails)),
      nextCursor: apiCursor(subscribers.nextCursor),
    },
  };
}

function toSubscriber(subscriber: SubscriberMessage, emails: ReadonlyMap<string, string>): Subscriber {
  const { planType: plan, status, subscribedAt, givesAccess, accessUntil, disputed } = subscriber;
  const user = required(subscriber.user, 'user');
  const name = user.name === '' ? DELETED_USER_NAME : user.name;
  const email = givesAccess ? (emails.get(user.id) ?? null) : null;
  return {
    user: { ...toUserRef({ ...user, name }), email },
    plan,
    status: toStatus(status),
    subscribedAt: apiTime(subscribedAt),
    ...(accessUntil !== undefined && { accessUntil: apiTime(accessUntil) }),
    ...(disputed && { disputed }),
  };
}
