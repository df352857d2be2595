import { Injectable } from '@nestjs/common';
import { groupBy } from '@pulso/platform/collections/group-by';
import { ForeignCalls } from '@pulso/platform/foreign-calls/foreign-calls';
import { isId } from '@pulso/platform/ids/uuid-v7';
import { type Transaction, Writes } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { noticesOf, noticesOfDisputes } from '../notices/notices-of.js';
import type { ProviderSubscription } from '../provider/payment-provider.js';
import { Provider } from '../provider/provider.js';
import { readLimit } from '../provider/read-limit.js';
import { type Pair, SubscriptionRepository } from '../store/subscription.repository.js';
import { PaymentNoticeRepository } from '../store/payment-notice.repository.js';
import { ProviderEndingRepository } from '../store/provider-ending.repository.js';
import type { Subscription } from '../store/subscription.entity.js';
import { type CustomerRead, CustomerReads } from './customer-reads.js';
import { decide, type Decision, isOfAnother, type PairFacts } from './decide.js';
import { callerOf, EndAtProvider, enderOf } from '../provider-calls/end-at-provider.js';
import { PairStandings } from './pair-standings.js';
import { RefundEnded } from './refund-ended.js';
import { SettleDisputes } from './settle-disputes.js';

/** A read that a newer one has overtaken is made again; who overtakes twice leaves nothing to be written. */
const READS = 3;

/** What a pair's subscription at the provider has changed here, or with `isDry` would. */
export interface Difference {
  pair: Pair;
  before: Subscription | undefined;
  after: Subscription | undefined;
  /** The subscriptions at the provider that must end. */
  ended: { id: string; reason: string }[];
  /** It gives access, and the provider does not know it. That ends nothing: what a provider does not show may be its failure. */
  isMissing: boolean;
}

/**
 * Reads all of a customer's subscriptions at the provider and writes what they grant: the only way in which access that is
 * paid begins. Whatever calls it, and how often, the result is the same (SUBS-17).
 */
@Injectable()
export class SyncCustomer {
  constructor(
    private readonly provider: Provider,
    private readonly reads: CustomerReads,
    private readonly calls: ForeignCalls,
    private readonly writes: Writes,
    private readonly standings: PairStandings,
    private readonly subscriptions: SubscriptionRepository,
    private readonly endings: ProviderEndingRepository,
    private readonly atProvider: EndAtProvider,
    private readonly refunds: RefundEnded,
    private readonly notices: PaymentNoticeRepository,
    private readonly disputes: SettleDisputes,
    private readonly clock: Clock,
  ) {}

  /** Returns what was not as the provider has it. Does nothing for customers that are not Pulso's. Throws what the provider throws. */
  async execute(customerId: string, signal?: AbortSignal): Promise<Difference[]> {
    const differences: Difference[] = [];
    for (let attempt = 1; attempt <= READS; attempt += 1) {
      const { found, isOvertaken } = await this.run(customerId, { signal, isDry: false });
      differences.push(...found);
      if (!isOvertaken) break;
    }
    return differences;
  }

  /** What `execute` would write. */
  async compare(customerId: string, signal?: AbortSignal): Promise<Difference[]> {
    return (await this.run(customerId, { signal, isDry: true })).found;
  }

  private async run(
    customerId: string,
    { signal, isDry }: { signal: AbortSignal | undefined; isDry: boolean },
  ): Promise<{ found: Difference[]; isOvertaken: boolean }> {
    const read = await this.reads.begin(customerId);
    if (!read) return { found: [], isOvertaken: false };
    const all = await this.provider.subscriptionsOf(customerId, readLimit(signal));
    const found: Difference[] = [];
    for (const provided of byPair(all, read.userId)) {
      const pair = provided[0]!.pair;
      const outcome = await this.writes.run((transaction) =>
        this.writePair(pair, provided, { read, isDry }, transaction),
      );
      if (outcome === 'overtaken') return { found, isOvertaken: true };
      if (outcome) found.push(outcome);
    }
    const missing = await this.reads.missing(
      read,
      all.map(({ id }) => id),
    );
    for (const row of missing) {
      const pair = { userId: row.userId, coachId: row.coachId };
      found.push({ pair, before: row, after: row, ended: [], isMissing: true });
    }
    return { found, isOvertaken: false };
  }

  private async writePair(
    pair: Pair,
    provided: readonly ProviderSubscription[],
    { read, isDry }: { read: CustomerRead; isDry: boolean },
    transaction: Transaction,
  ): Promise<Difference | 'overtaken' | undefined> {
    const { forbidden, before, nextBeginning } = await this.standings.lock(pair, transaction);
    // The end of the call orders that the customer is read again who pays for what it is about.
    const isOfThis = before?.providerSubscriptionId && !isOfAnother(before, read.customerId);
    if (isOfThis && (await this.calls.pendingOf(transaction, callerOf(before))).length > 0) return undefined;
    if (!isDry && !(await this.reads.mayWrite(read, transaction))) return 'overtaken';
    if (!isDry && before && (await this.insist(before, provided, read, transaction))) return undefined;
    const stored = await this.endings.ofPair(pair, transaction);
    const known = new Set(stored.map(({ providerSubscriptionId }) => providerSubscriptionId));
    const { customerId, number } = read;
    const facts: PairFacts = { pair, before, nextBeginning, customerId, forbidden, ended: known };
    const decision = decide(facts, provided, this.clock.now());
    // Ended here, and not there: the call for it waits, was refused, or could not be ordered.
    const still = stored.filter((ending) => isLiving(provided, ending.providerSubscriptionId));
    if (!isDry) {
      const told = noticesOf({ before, after: decision.after, provided }, this.clock.now());
      await this.notices.add([...told, ...noticesOfDisputes(decision.endings)], transaction);
      await this.write(facts, decision, number, transaction);
      for (const { providerSubscriptionId: id } of still)
        if ((await this.calls.pendingOf(transaction, enderOf(id))).length === 0)
          await this.atProvider.cancelAgain(id, transaction);
      await this.refunds.execute(stored, provided, transaction);
      await this.disputes.execute(provided, transaction);
    }
    const ended = [
      ...decision.endings.map(({ provided: each, reason }) => ({ id: each.id, reason })),
      ...still.map(({ providerSubscriptionId, reason }) => ({ id: providerSubscriptionId, reason })),
    ];
    const { after, isToEnd } = decision;
    const isSame = after === before && ended.length === 0 && !isToEnd;
    return isSame ? undefined : { pair, before, after, ended, isMissing: false };
  }

  /** What the member has pressed last counts, although an older call has ended after its own. Returns whether it calls again. */
  private async insist(
    before: Subscription,
    provided: readonly ProviderSubscription[],
    { number }: CustomerRead,
    transaction: Transaction,
  ): Promise<boolean> {
    const own = provided.find(({ id, endedAt }) => id === before.providerSubscriptionId && endedAt === null);
    const wish = own && (await this.reads.overruledWish(before, transaction));
    if (wish === undefined || wish === own!.cancelAtPeriodEnd) return false;
    const wanted = { ...before, cancelAtPeriodEnd: wish };
    await this.atProvider.setCancelAtPeriodEnd(wanted, `read-${number}`, transaction);
    return true;
  }

  private async write(
    { pair, before }: PairFacts,
    { after, reason, endings, isToEnd }: Decision,
    number: number,
    transaction: Transaction,
  ): Promise<void> {
    for (const { provided, ...why } of endings) {
      const { id: providerSubscriptionId, customerId } = provided;
      await this.atProvider.end({ providerSubscriptionId, customerId, ...pair, ...why }, transaction);
    }
    if (!after) return;
    if (isToEnd) await this.atProvider.setCancelAtPeriodEnd(after, `read-${number}`, transaction);
    // Access that has run out by time alone is ended by its job, with all that follows.
    if (after !== before) await this.subscriptions.save({ before, after }, reason, transaction);
  }
}

/** The user's own alone: a subscription that somebody has moved to another customer is nobody's. */
function byPair(all: readonly ProviderSubscription[], userId: string): ProviderSubscription[][] {
  const own = all.filter(
    ({ pair }) => pair.userId === userId && pair.coachId !== userId && isId(pair.coachId),
  );
  return [...groupBy(own, ({ pair }) => pair.coachId).values()];
}

const isLiving = (provided: readonly ProviderSubscription[], wanted: string): boolean =>
  provided.some(({ id, status }) => id === wanted && (status === 'active' || status === 'past_due'));
