import type { Side, Sold } from './side.js';
import type { LedgerPayment, YearBook } from './year-book.js';

const DAY_MS = 24 * 60 * 60_000;
/** Amounts are rounded down, and a cent of a month's price is about a minute. */
const TOLERANCE_MS = 5 * 60_000;

/** Each payment is kept or paid back as the rules say (SUBS-10, SUBS-12). */
export function checkMoney(sold: Sold, book: YearBook, now: number): string[] {
  const payments = book.paymentsOf(sold.id);
  return payments.flatMap((payment, index) => {
    const { paidMinor, refundedMinor, periodEnd, id } = payment;
    if (refundedMinor > paidMinor) return [`more of ${id} was paid back than was paid`];
    const isLast = index === payments.length - 1;
    const kept = sold.disputed.get(payment.paymentId ?? '');
    if (kept !== undefined)
      return refundedMinor === kept
        ? []
        : [`of ${id} ${refundedMinor - kept} was paid back, and it is disputed`];
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
export function paidTwice(side: Side, book: YearBook, now: number): string[] {
  const kept = [...side.sold.values()]
    .filter(
      ({ isClosed, isExtra, disputed, fate, refund }) =>
        !isClosed && !isExtra && disputed.size === 0 && !(fate === 'over' && refund === 'none'),
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
