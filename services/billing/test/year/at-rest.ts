import type { ProviderSubscription } from '../../src/provider/payment-provider.js';
import type { Row, Side, Sold } from './side.js';
import type { LedgerPayment, YearBook } from './year-book.js';

const DAY_MS = 24 * 60 * 60_000;
const GRACE_MS = 7 * DAY_MS;
/** Amounts are rounded down, and a cent of a month's price is about a minute. */
const TOLERANCE_MS = 5 * 60_000;

const isLiving = ({ status }: ProviderSubscription) => status === 'active' || status === 'past_due';

/** When access ends that a subscription at the provider gives by itself (SUBS-9); undefined where that is not known yet. */
function accessEnd({
  status,
  cancelAtPeriodEnd,
  currentPeriodEnd,
  unpaidSince,
}: ProviderSubscription): number {
  const byPeriod = cancelAtPeriodEnd ? currentPeriodEnd : Infinity;
  return Math.min(byPeriod, status === 'past_due' ? unpaidSince! + GRACE_MS : Infinity);
}

/**
 * What has to hold of a pair when all events have been handled and all calls have ended. Returns what does not; afterwards the
 * side is in no doubt any more.
 */
export function checkAtRest(side: Side, row: Row | undefined, book: YearBook, now: number): string[] {
  const wrong: string[] = [];
  const claim = (holds: boolean, what: () => string) => void (holds || wrong.push(what()));
  const access = row?.access ?? false;
  const living = book.living(side.pair);

  claim(living.length <= 1, () => `${living.length} live subscriptions at the provider`);
  claim(living.length === 0 || access, () => `it is paid for at the provider, without access`);
  if (side.isForbidden)
    claim(!access && living.length === 0, () => 'access or a subscription where none may be');
  const expected = expectedAccess(side, book, now);
  claim(expected === undefined || expected === access, () => `access is ${access}, by the rules ${expected}`);
  if (side.free === true) claim(living.length === 0, () => 'it is free, and paid for');
  const [own] = living;
  if (own && row) {
    claim(row.psid === own.id, () => `the provider has ${own.id}, billing ${row.psid}`);
    claim(row.ending === own.cancelAtPeriodEnd, () => `ends with its period: here ${row.ending}`);
    claim(row.periodEnd === own.currentPeriodEnd, () => 'the paid period is another one');
    claim(row.priceMinor === own.amountMinor, () => 'the price is another one');
    claim(side.coach.isCoach || own.cancelAtPeriodEnd, () => 'it goes on though the coach has stopped');
    const { wish } = side;
    claim(wish?.id !== own.id || wish.ending === own.cancelAtPeriodEnd, () => `was to end: ${wish!.ending}`);
  }
  for (const sold of side.sold.values())
    wrong.push(
      ...checkSold(
        side,
        sold,
        book.of(side.pair).find(({ id }) => id === sold.id)!,
        now,
      ),
    );
  for (const sold of side.sold.values()) {
    sold.endedBy = Math.min(sold.endedBy, now);
    wrong.push(...checkMoney(sold, book, now));
  }
  wrong.push(...paidTwice(side, book, now));
  settle(side, row, own);
  return wrong;
}

/** Undefined where billing may have seen things in one or in another order. */
function expectedAccess(side: Side, book: YearBook, now: number): boolean | undefined {
  if (side.isForbidden) return false;
  if (side.free === true) return true;
  const isSure: boolean[] = [];
  for (const provided of book.of(side.pair)) {
    const sold = side.sold.get(provided.id)!;
    if (sold.fate === 'over') continue;
    if (isLiving(provided)) {
      if (now < accessEnd(provided)) isSure.push(sold.fate === 'lives');
    } else if (sold.isClosed && isPaidOn(provided, now))
      isSure.push(sold.fate === 'lives' && isWhole(provided));
    else if (sold.fate === 'doubt') isSure.push(false);
  }
  if (isSure.includes(true)) return true;
  return isSure.length > 0 || side.free === undefined ? undefined : false;
}

const isPaidOn = ({ latestPayment }: ProviderSubscription, now: number) =>
  latestPayment !== null && latestPayment.paidMinor > 0 && now < latestPayment.periodEnd;
const isWhole = ({ latestPayment }: ProviderSubscription) => latestPayment?.refundedMinor === 0;

/** What lives by the rules, billing has not ended. */
function checkSold(side: Side, sold: Sold, provided: ProviderSubscription, now: number): string[] {
  const { endedAt, unpaidSince, cancelAtPeriodEnd, currentPeriodEnd, id } = provided;
  if (sold.fate === 'over') return endedAt === null ? [`${id} is over, and lives at the provider`] : [];
  if (sold.fate === 'doubt' || endedAt === null || sold.isClosed) return [];
  const hasRunOut = cancelAtPeriodEnd && endedAt >= currentPeriodEnd;
  const hasLapsed = unpaidSince !== null && endedAt >= unpaidSince + GRACE_MS;
  if (hasRunOut || hasLapsed) {
    Object.assign(sold, {
      fate: 'over',
      refund: hasLapsed ? 'any' : 'none',
      endedFrom: endedAt,
      endedBy: now,
    });
    return [];
  }
  // The one that counted before another came goes on.
  const isSecond = id !== side.ownId && (side.free !== false || side.sold.size > 1 || side.isForbidden);
  if (!isSecond) return [`${id} was ended for no reason`];
  Object.assign(sold, { fate: 'over', refund: 'all', endedFrom: endedAt, endedBy: now });
  return [];
}

/** Each payment is kept or paid back as the rules say (SUBS-10, SUBS-12). */
function checkMoney(sold: Sold, book: YearBook, now: number): string[] {
  const payments = book.paymentsOf(sold.id);
  return payments.flatMap((payment, index) => {
    const { paidMinor, refundedMinor, periodEnd, id } = payment;
    if (refundedMinor > paidMinor) return [`more of ${id} was paid back than was paid`];
    const isLast = index === payments.length - 1;
    const byHand = sold.byHand.get(payment.paymentId ?? '') ?? 0;
    // Only what time has not settled can still be wrong, and was not looked at before.
    if (!isLast && periodEnd < now - 60 * DAY_MS) return [];
    const [least, most] = isLast ? owed(sold, payment, byHand) : [byHand, byHand];
    if (refundedMinor >= least && refundedMinor <= most) return [];
    return [`of ${id} (${paidMinor}) ${refundedMinor} was paid back, by the rules ${least} to ${most}`];
  });
}

/** The least and the most that is paid back of the payment of the last period. */
function owed(sold: Sold, payment: LedgerPayment, byHand: number): [number, number] {
  const { paidMinor, periodStart, periodEnd } = payment;
  if (sold.fate !== 'over' || paidMinor === 0) return [byHand, sold.fate === 'doubt' ? paidMinor : byHand];
  const unused = (from: number) => {
    const share = (periodEnd - Math.min(Math.max(from, periodStart), periodEnd)) / (periodEnd - periodStart);
    return Math.min(paidMinor, byHand + Math.floor(paidMinor * share));
  };
  switch (sold.refund) {
    case 'none':
      // Nobody has had anything of a period that had not begun when it ended.
      return [
        periodStart >= sold.endedBy ? paidMinor : byHand,
        periodStart >= sold.endedFrom ? paidMinor : byHand,
      ];
    case 'unused':
      return [unused(sold.endedBy), unused(sold.endedFrom)];
    case 'all':
      return [paidMinor, paidMinor];
    case 'any':
      return [byHand, paidMinor];
  }
}

/** Two payments that are kept for the same days. */
function paidTwice(side: Side, book: YearBook, now: number): string[] {
  const kept = [...side.sold.values()]
    .filter(
      ({ isClosed, isExtra, fate, refund }) =>
        !isClosed && !isExtra && !(fate === 'over' && refund === 'none'),
    )
    .flatMap(({ id }) => book.paymentsOf(id))
    .filter(
      ({ paidMinor, refundedMinor, periodEnd }) => paidMinor > refundedMinor && periodEnd > now - 40 * DAY_MS,
    )
    .map(({ id, paidMinor, refundedMinor, periodStart, periodEnd }) => {
      const share = (paidMinor - refundedMinor) / paidMinor;
      return { id, from: periodStart, to: periodStart + (periodEnd - periodStart) * share };
    })
    .sort((one, other) => one.from - other.from);
  return kept.flatMap(({ id, from }, index) => {
    const before = kept[index - 1];
    return before && before.to - from > TOLERANCE_MS
      ? [`${before.id} and ${id} are paid for the same days`]
      : [];
  });
}

/** What was in doubt is known now. */
function settle(side: Side, row: Row | undefined, own: ProviderSubscription | undefined): void {
  if (side.free === undefined) side.free = row !== undefined && row.access && row.psid === null;
  for (const sold of side.sold.values()) {
    if (sold.fate === 'doubt') {
      const isOpen = sold.id === own?.id || (sold.isClosed && row?.psid === sold.id && row.access);
      if (isOpen) Object.assign(sold, { fate: 'lives', refund: 'none', endedFrom: Infinity });
      else sold.fate = 'over';
    }
  }
  side.ownId = own?.id;
  side.wish = own && { id: own.id, ending: own.cancelAtPeriodEnd };
  side.wasFree = false;
  side.pressed.here = false;
  side.pressed.there = false;
  side.story.length = 0;
}
