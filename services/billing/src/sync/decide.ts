import type { ProviderSubscription } from '../provider/payment-provider.js';
import { endFor } from '../store/ending.js';
import type { EndReason } from '../store/end-reason.js';
import { newSubscription, type Subscription } from '../store/subscription.entity.js';
import { givesAccess, NO_TERMS, stop, type Terms } from '../store/subscription.js';
import type { Refund } from '../store/provider-ending.repository.js';
import { orSame, termsOf } from './terms-of.js';

/** What billing knows of a pair, under its locks. */
export interface PairFacts {
  pair: { userId: string; coachId: string };
  before: Subscription | undefined;
  /** The number of the next beginning. */
  nextBeginning: number;
  /** Whose subscriptions were read: the pair may have one that another customer of the user pays for. */
  customerId: string;
  /** Why the states of both users, and blocks between them, end a subscription (SUBS-12); undefined where nothing does. */
  forbidden: { reason: EndReason; refund: Refund } | undefined;
  /** The subscriptions at the provider that billing has ended: they never count again. */
  ended: ReadonlySet<string>;
}

/** A subscription that must not live at the provider any more. */
export interface NewEnding {
  provided: ProviderSubscription;
  reason: EndReason | 'second';
  refund: Refund;
  endedAt: number;
}

/** What is to be written, and to be asked of the provider. */
export interface Decision {
  after: Subscription | undefined;
  /** Why access ends, where it does. */
  reason: EndReason;
  endings: NewEnding[];
  /** Goes on after its period at the provider, which it must not. */
  isToEnd: boolean;
}

/**
 * What a pair's subscriptions at the provider, the oldest first, mean for it. One of which a payment was disputed ends, and
 * nothing is paid back: the bank has taken it (SUBS-34). It ends however the dispute stands when it is seen, so that lost and
 * late events end in the same. One that was moved to another coach's price ends as well: nobody pays this coach for it.
 */
export function decide(facts: PairFacts, provided: readonly ProviderSubscription[], now: number): Decision {
  const { before, ended } = facts;
  const known = provided.filter(({ id }) => !ended.has(id));
  const isOwn = ({ id }: ProviderSubscription) => id === before?.providerSubscriptionId;
  const voided = known.flatMap((each): Voided[] => {
    const ending = { provided: each, endedAt: now };
    if (each.disputes.length > 0 && (isLiving(each) || isOwn(each)))
      return [{ ...ending, reason: 'disputed', refund: 'none' }];
    return isLiving(each) && isOfOtherPrice(each)
      ? [{ ...ending, reason: 'other-price', refund: 'unused' }]
      : [];
  });
  const others = known.filter((each) => !voided.some((ending) => ending.provided === each));
  const own = voided.find((ending) => isOwn(ending.provided));
  if (!before || !own) return withEndings(ofValid(facts, others, now), voided);
  const decision = ofValid({ ...facts, before: stop(before, now) }, others, now);
  const hasAccess = decision.after !== undefined && givesAccess(decision.after, now);
  return withEndings(hasAccess ? decision : { ...decision, reason: own.reason }, voided);
}

type Voided = NewEnding & { reason: EndReason };

const withEndings = (decision: Decision, voided: readonly NewEnding[]): Decision => ({
  ...decision,
  endings: [...voided, ...decision.endings],
});

/** Whether it was moved at the provider to the price of another coach than the one whose posts it opens. */
export const isOfOtherPrice = ({ priceCoachId, pair }: ProviderSubscription): boolean =>
  priceCoachId !== null && priceCoachId !== pair.coachId;

const isLiving = ({ status }: ProviderSubscription) => status === 'active' || status === 'past_due';

/**
 * At most one counts (SUBS-10): the one that has counted so far while it gives access, else the oldest that does. All others
 * are ended, and paid back.
 */
function ofValid(facts: PairFacts, known: readonly ProviderSubscription[], now: number): Decision {
  const { before } = facts;
  const living = known.filter(isLiving);
  const giving = living.filter((each) => accessEnd(each, now) === undefined);
  // One that ends with its period does so at the provider by itself.
  const overdue = living.filter((each) => each.status === 'past_due' && !giving.includes(each));
  const ownId = before?.providerSubscriptionId ?? null;
  const counts = hasAnother(facts, now) ? undefined : (giving.find(({ id }) => id === ownId) ?? giving[0]);
  const others: NewEnding[] = [
    ...giving
      .filter((each) => each !== counts)
      .map((each) => ({ provided: each, reason: 'second' as const, refund: 'all' as const, endedAt: now })),
    // Nobody is billed for days without access: the provider must not try to be paid any longer.
    ...overdue.map((each) => ({
      ...{ provided: each, reason: 'lapsed' as const, refund: 'unused' as const },
      endedAt: accessEnd(each, now)!,
    })),
  ];
  const present = known.find(({ id }) => id === ownId);
  const own = counts ?? present;
  if (!own || (!counts && !before))
    return { after: before, reason: 'lapsed', endings: others, isToEnd: false };
  const decision = ofOwn(facts, own, now);
  // What a user has paid before, and still has access for, ends as well.
  if (present && present !== own && isForbidden(facts) && before && givesAccess(before, now))
    decision.endings.push({ provided: present, ...facts.forbidden!, endedAt: now });
  // An overdue one is among the others already.
  const endings = decision.endings.filter(({ provided: each }) => !overdue.includes(each));
  return { ...decision, endings: [...endings, ...others] };
}

/** Whether nothing may give access any more, not even for what is paid. */
const isForbidden = ({ forbidden }: PairFacts): boolean =>
  forbidden !== undefined && forbidden.reason !== 'coach-stopped';

/** When a living subscription at the provider has ceased to give access; undefined while it does. */
function accessEnd(provided: ProviderSubscription, now: number): number | undefined {
  const terms: Terms = termsOf<Terms>(provided, NO_TERMS, now);
  return givesAccess(terms, now) ? undefined : (terms.accessUntil ?? now);
}

/** Whether a subscription gives access that is free, or that another customer of the user pays for. */
function hasAnother({ before, customerId }: PairFacts, now: number): boolean {
  if (!before || !givesAccess(before, now)) return false;
  return before.providerSubscriptionId === null || isOfAnother(before, customerId);
}

/** Whether another customer of the user pays for it, in another currency or on another account. */
export const isOfAnother = ({ providerCustomerId: payer }: Subscription, customerId: string): boolean =>
  payer !== null && payer !== customerId;

/** Of the one that counts, or has counted and has ended. */
function ofOwn(facts: PairFacts, provided: ProviderSubscription, now: number): Decision {
  const { pair, before, forbidden, nextBeginning } = facts;
  const base = before ?? newSubscription(pair, now);
  const hadAccess = base.providerSubscriptionId === provided.id && givesAccess(base, now);
  const told = termsOf(provided, base, now);
  const decision: Decision = { after: before, reason: 'lapsed', endings: [], isToEnd: false };
  if (!givesAccess(told, now)) return { ...decision, after: told };
  if (isForbidden(facts)) {
    // Who never had access for it gets all of it back, whoever has blocked.
    const { reason, refund } = hadAccess ? forbidden! : { ...forbidden!, refund: 'all' as const };
    const after = before && givesAccess(before, now) ? stop(before, now) : before;
    return { ...decision, after, reason, endings: [{ provided, reason, refund, endedAt: now }] };
  }
  const after = forbidden ? orSame(base, endFor(forbidden.reason, told, now)) : told;
  if (!givesAccess(after, now)) {
    const { reason } = forbidden!;
    return { ...decision, after, reason, endings: [{ provided, reason, refund: 'unused', endedAt: now }] };
  }
  return {
    ...decision,
    after: hadAccess ? after : { ...after, begun: nextBeginning },
    isToEnd: after.cancelAtPeriodEnd && !provided.cancelAtPeriodEnd,
  };
}
