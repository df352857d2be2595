import type { Row, Side, Sold } from './side.js';

/** What ends a pair's subscription at once, and what is paid back then (SUBS-12). */
type Refund = Sold['refund'];

/** Longer than it takes until the next rest. */
const LONG_MS = 15 * 24 * 60 * 60_000;

/**
 * What acts mean for a pair by docs/product/subscriptions.md. `row` is what billing showed before the act: what it had not seen
 * it may see before or after the act, so the rules leave it in doubt until the next rest.
 */
export const rules = {
  /**
   * Access ends at once: a block, a coach who is suspended or gone, a deleted subscriber, an operator. `by` is when it has ended at the
   * latest: at the next rest unless given.
   */
  endsAtOnce(side: Side, row: Row | undefined, refund: Refund, now: number, by = Infinity): void {
    side.wasFree ||= side.free !== false;
    side.free = false;
    side.wish = undefined;
    for (const sold of side.sold.values()) {
      // A second reason came before the first was worked off: either may count.
      if (sold.fate === 'over')
        sold.refund = sold.endedBy > now && sold.refund !== 'all' ? 'any' : sold.refund;
      else if (isSeen(sold, row)) end(sold, refund, now, by);
      else doubt(sold, now);
    }
  },

  /** Bought outside of Pulso. While nothing may give access it gives none, and all goes back. */
  boughtThere(side: Side, id: string, now: number): void {
    side.bought(id, true);
    if (side.isForbidden) end(side.sold.get(id)!, 'all', now, Infinity);
  },

  /** What kept the pair apart is gone: what was bought meanwhile may be seen now. */
  mended(side: Side, now: number): void {
    for (const sold of side.sold.values())
      if (sold.fate === 'over' && sold.refund === 'all' && sold.endedBy > now) doubt(sold, now);
  },

  /** The coach flag goes: free ones end at once, paid ones with their period (SUBS-12). */
  coachStops(side: Side, row: Row | undefined, now: number): void {
    side.wasFree ||= side.free !== false;
    side.free = false;
    side.wish = undefined;
    // It is to end as if the member had pressed so: what is pressed in the portal crosses with it.
    side.pressed.here = true;
    for (const sold of side.open()) {
      const isPaid = isSeen(sold, row) && row!.status === 'active' && row!.periodEnd! > now + LONG_MS;
      // One whose payment is missing has no paid period and ends at once, if billing has seen that.
      if (!isPaid) doubt(sold, now);
    }
  },

  /** The coach is one again. What was let go on in the portal ends only if billing has seen it before. */
  coachBegins(side: Side): void {
    if (side.pressed.there) side.wish = undefined;
  },

  /** The member unsubscribed and was answered (SUBS-11). */
  unsubscribed(
    side: Side,
    row: Row | undefined,
    answer: { access: boolean; ending: boolean },
    now: number,
  ): void {
    side.free = false;
    if (answer.access) {
      press(side, row?.psid ?? null, true);
      return;
    }
    side.wish = undefined;
    for (const sold of side.open()) {
      // The press has only shown that the provider's people had ended it, and paid back what they wanted to.
      if (sold.isClosed && row?.status === 'active') continue;
      if (isSeen(sold, row)) end(sold, 'unused', now, now);
      // Its access has run out here, and may go on at the provider.
      else if (sold.id === row?.psid) doubt(sold, now);
    }
  },

  /** The member subscribed directly, and was told of access (SUBS-8, SUBS-11). */
  subscribed(
    side: Side,
    after: Row | undefined,
    answer: { paid: boolean; ending: boolean },
    now: number,
  ): void {
    side.free = !answer.paid;
    if (answer.paid) press(side, after?.psid ?? null, answer.ending);
    // What was paid before is over where the pair has begun anew for nothing.
    else for (const sold of side.open()) doubt(sold, now);
  },

  /** Nobody knows whether the act has happened: the process was killed during it. */
  perhaps(side: Side, now: number): void {
    if (side.free !== false || side.coach.priceMinor === 0) side.free = undefined;
    side.wish = undefined;
    for (const sold of side.sold.values()) {
      if (sold.fate !== 'over') doubt(sold, now);
      else if (sold.endedBy > now) sold.refund = 'any';
    }
  },

  /** The member, or the provider's people, on the provider's pages. */
  pressedThere(side: Side, id: string, ending: boolean): void {
    side.pressed.there = true;
    side.wish = side.pressed.here ? undefined : { id, ending };
  },

  /** The payer disputes the payment at the bank: it ends at once, whatever billing has seen of it, and nothing is paid back (SUBS-34). */
  disputed(side: Side, id: string, payment: { paymentId: string; refundedMinor: number }, now: number): void {
    const sold = side.sold.get(id)!;
    sold.disputed.set(payment.paymentId, payment.refundedMinor);
    if (side.wish?.id === id) side.wish = undefined;
    if (sold.fate === 'over') return;
    // What had perhaps ended it before decides on a period that began after that end.
    const refund = sold.fate === 'doubt' ? 'any' : 'none';
    end(sold, refund, Math.min(sold.endedFrom, now), Infinity);
  },

  doubt,
};

function press(side: Side, id: string | null, ending: boolean): void {
  side.pressed.here = true;
  // What was pressed on the provider's pages may not have come here yet: then the two cross.
  side.wish = id === null || side.pressed.there ? undefined : { id, ending };
}

/** Whether billing shows access for it. */
const isSeen = ({ id }: Sold, row: Row | undefined) => row?.psid === id && row.access;

function end(sold: Sold, refund: Refund, now: number, by: number): void {
  Object.assign(sold, { fate: 'over', refund, endedFrom: now, endedBy: by });
}

function doubt(sold: Sold, now: number): void {
  if (sold.fate === 'doubt') return;
  Object.assign(sold, { fate: 'doubt', refund: 'any', endedFrom: now, endedBy: Infinity });
}
