import type { ProviderSubscription } from '../../src/provider/payment-provider.js';
import type { Row, Side, Sold } from './side.js';
import { checkMoney, paidTwice } from './money-at-rest.js';
import type { YearBook } from './year-book.js';

const DAY_MS = 24 * 60 * 60_000;
const GRACE_MS = 7 * DAY_MS;

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
export function checkAtRest(
  side: Side,
  row: Row | undefined,
  { book, now, isLossy }: { book: YearBook; now: number; isLossy: boolean },
): string[] {
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
    claim(
      row.priceMinor === own.amountMinor && row.currency === own.currency,
      () => 'the price is another one',
    );
    claim(row.status === own.status, () => `the provider has it ${own.status}, billing ${row.status}`);
    const until = accessEnd(own);
    claim((row.until ?? Infinity) === until, () => `access until ${row.until}, by the rules ${until}`);
    claim(side.coach.isCoach || own.cancelAtPeriodEnd, () => 'it goes on though the coach has stopped');
    const { wish } = side;
    claim(wish?.id !== own.id || wish.ending === own.cancelAtPeriodEnd, () => `was to end: ${wish!.ending}`);
  }
  wrong.push(...checkEnded(side, row, book, { now, isLossy }));
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

/** What the provider has ended is cancelled here, and what was paid and not paid back runs out: not sooner, not later (SUBS-9). */
function checkEnded(
  side: Side,
  row: Row | undefined,
  book: YearBook,
  { now, isLossy }: { now: number; isLossy: boolean },
): string[] {
  const last = row?.psid ? book.present(row.psid) : undefined;
  if (!last || last.endedAt === null) return [];
  const { status, until, access } = row!;
  if (status !== 'cancelled') return [`the provider has ended it, and it is ${status}`];
  const sold = side.sold.get(last.id)!;
  // Nobody looks again at what has ended, but for an event: one about a refund may be lost.
  if (!sold.isClosed || sold.fate !== 'lives' || isLossy) return [];
  const end = isPaidOn(last, now) && isWhole(last) ? last.latestPayment!.periodEnd : undefined;
  if (end === undefined) return access ? ['access for what was paid back'] : [];
  return access && until !== end ? [`access until ${until}, and it is paid until ${end}`] : [];
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
  // Let go on in the portal, it was renewed unseen and not paid: after the coach has stopped there is no paid period to run out.
  const isUnpaid = unpaidSince !== null && !side.coach.isCoach;
  if (hasRunOut || hasLapsed || isUnpaid) {
    Object.assign(sold, {
      fate: 'over',
      refund: hasLapsed || isUnpaid ? 'any' : 'none',
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
