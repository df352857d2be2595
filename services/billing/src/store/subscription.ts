/** The states of a subscription (SUBS-9). */
export const STATUSES = ['incomplete', 'active', 'past_due', 'cancelled'] as const;
export type SubscriptionStatus = (typeof STATUSES)[number];

/** How long a subscription that is not paid for still gives access. */
export const GRACE_MS = 7 * 24 * 60 * 60_000;

/** What a subscription grants and for how long. Times are milliseconds since the epoch, money is in minor units. */
export interface Terms {
  status: SubscriptionStatus;
  /** When the present or latest access began. */
  startDate: number | null;
  cancelledAt: number | null;
  /** The end of the paid period. */
  currentPeriodEnd: number | null;
  cancelAtPeriodEnd: boolean;
  /** When access ends or has ended; it ends then without any further act. */
  accessUntil: number | null;
  /** The agreed price a month; null where nothing is paid. */
  priceMinor: number | null;
  priceCurrency: string | null;
  /** What it is at the payment provider, also after it has ended there; null where nothing was paid. */
  providerSubscriptionId: string | null;
  /** Who pays for it there; null where nothing was paid. */
  providerCustomerId: string | null;
  /** When the oldest payment that is missing was due; null where none is. */
  unpaidSince: number | null;
  /** Whether it has ever given access. */
  everActive: boolean;
}

/** The terms of a subscription that has never given access. */
export const NO_TERMS: Terms = {
  status: 'incomplete',
  startDate: null,
  cancelledAt: null,
  currentPeriodEnd: null,
  cancelAtPeriodEnd: false,
  accessUntil: null,
  priceMinor: null,
  priceCurrency: null,
  providerSubscriptionId: null,
  providerCustomerId: null,
  unpaidSince: null,
  everActive: false,
};

/** Whether a subscription gives access at the time `now` (SUBS-9). */
export function givesAccess(
  { status, accessUntil }: Pick<Terms, 'status' | 'accessUntil'>,
  now: number,
): boolean {
  if (status === 'incomplete') return false;
  if (accessUntil === null) return status === 'active';
  return now < accessUntil;
}

/** SQL: the same of the row `alias`, at the time of the parameter `now`. */
export const givesAccessAt = (alias: string, now: string) =>
  `(${alias}.gives_access AND (${alias}.access_until IS NULL OR ${alias}.access_until > ${now}::timestamptz))`;

// The acts return the same object where they change nothing.

/** The direct subscribe, for free (SUBS-8): begins, begins again, or takes up one that was to end with its period. */
export function begin<T extends Terms>(subscription: T, now: number): T {
  const present = lapse(subscription, now);
  if (present.status === 'past_due') return present;
  if (present.status === 'active') {
    return present.cancelAtPeriodEnd ? { ...present, cancelAtPeriodEnd: false, accessUntil: null } : present;
  }
  const startDate = givesAccess(present, now) ? present.startDate : now;
  return { ...present, ...NO_TERMS, status: 'active', startDate, everActive: true };
}

/** Ends a free subscription now and a paid one with its period (SUBS-11, SUBS-12). */
export function cancel<T extends Terms>(subscription: T, now: number): T {
  const present = lapse(subscription, now);
  const { status, priceMinor, currentPeriodEnd, cancelAtPeriodEnd } = present;
  if (status !== 'active' || priceMinor === null)
    return status === 'cancelled' ? present : ended(present, now);
  if (cancelAtPeriodEnd) return present;
  if (currentPeriodEnd === null || currentPeriodEnd <= now) return ended(present, now);
  return { ...present, cancelAtPeriodEnd: true, accessUntil: currentPeriodEnd };
}

/** Ends access now, whatever is paid (SUBS-12). */
export function stop<T extends Terms>(subscription: T, now: number): T {
  const present = lapse(subscription, now);
  return present.status === 'cancelled' && !givesAccess(present, now) ? present : ended(present, now);
}

/** Makes a subscription whose access has ended by itself a cancelled one. */
export function lapse<T extends Terms>(subscription: T, now: number): T {
  const { status, accessUntil } = subscription;
  const isOpen = status === 'active' || status === 'past_due';
  return isOpen && !givesAccess(subscription, now) ? ended(subscription, accessUntil ?? now) : subscription;
}

function ended<T extends Terms>(subscription: T, at: number): T {
  const accessUntil = subscription.status === 'incomplete' ? subscription.accessUntil : at;
  return { ...subscription, status: 'cancelled', cancelledAt: at, cancelAtPeriodEnd: false, accessUntil };
}
