import { Injectable } from '@nestjs/common';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { ProviderCalls } from './provider-calls.js';
import { Provider } from '../provider/provider.js';
import type { EndReason } from '../store/end-reason.js';
import { type ProviderEnding, ProviderEndingRepository } from '../store/provider-ending.repository.js';
import type { Subscription } from '../store/subscription.entity.js';
import type { Change } from '../store/subscription.repository.js';
import type { Refund } from '../store/provider-ending.repository.js';

/** The caller of all calls about a subscription of Pulso's. */
export const callerOf = ({ id }: Pick<Subscription, 'id'>) => `subscription:${id}`;

/** The caller of the end of a subscription at the provider. */
export const enderOf = (providerSubscriptionId: string) => `provider-subscription:${providerSubscriptionId}`;

/** A refused end is asked for again after an hour at most. */
const AGAIN_MS = 60 * 60_000;

/** What is paid back when a subscription ends at once for this reason (SUBS-12). */
export const refundOf = (reason: EndReason, isBySubscriber = false): Refund => {
  switch (reason) {
    case 'coach-suspended':
    case 'coach-deleted':
    case 'other-price':
      return 'unused';
    // These leave what is paid to its end. Where they end one at once, because its period is over or a payment is missing, the
    // provider may have been paid for the next one meanwhile.
    case 'coach-stopped':
    case 'cancelled':
      return 'unused';
    case 'blocked':
      return isBySubscriber ? 'none' : 'unused';
    case 'lapsed':
    case 'revoked':
    case 'disputed':
    case 'subscriber-deleted':
      return 'none';
  }
};

/** Does at the provider what billing has decided: calls are stored in the transaction of the decision, and made after it. */
@Injectable()
export class EndAtProvider {
  constructor(
    private readonly endings: ProviderEndingRepository,
    private readonly calls: ProviderCalls,
    private readonly provider: Provider,
    private readonly clock: Clock,
  ) {}

  /**
   * What follows at the provider from a change of a subscription: its end, with or without a refund, or that it ends with its
   * period, or goes on. Nothing for a subscription that is not paid.
   */
  async follow(
    { before, after }: Change,
    reason: EndReason,
    refund: Refund,
    transaction: Transaction,
  ): Promise<void> {
    const id = before?.providerSubscriptionId;
    if (!before || !id || after === before) return;
    if (after.status === 'cancelled') {
      const { userId, coachId } = after;
      const endedAt = this.clock.now();
      const customerId = before.providerCustomerId;
      const ending = { providerSubscriptionId: id, userId, coachId, customerId, reason, refund, endedAt };
      await this.end(ending, transaction);
    } else if (after.providerSubscriptionId === id && after.cancelAtPeriodEnd !== before.cancelAtPeriodEnd) {
      await this.setCancelAtPeriodEnd(after, `after-${before.version}`, transaction);
    }
  }

  /** Lets the subscription end with its period, or go on. `at` makes the call one of its own. */
  async setCancelAtPeriodEnd(
    subscription: Subscription,
    at: string,
    transaction: Transaction,
  ): Promise<void> {
    const { providerSubscriptionId: subscriptionId, cancelAtPeriodEnd } = subscription;
    // Where payments were switched off, the comparison makes good for it once they are on again.
    if (!this.provider.isOn || subscriptionId === null) return;
    const id = { caller: callerOf(subscription), key: `${subscriptionId}:cancel-at-period-end:${at}` };
    await this.calls.setCancelAtPeriodEnd.enqueue(transaction, id, { subscriptionId, cancelAtPeriodEnd });
  }

  /** Ends a subscription at the provider, once and for ever. */
  async end(ending: ProviderEnding, transaction: Transaction): Promise<void> {
    await this.endings.add(ending, transaction);
    await this.cancelNow(ending.providerSubscriptionId, 'cancel-now', transaction);
  }

  /**
   * Of one that billing has ended and the provider has not, where no call for it is pending: the last one was refused, or could
   * not be ordered. Its key is new each hour: the end of a call has the customer read again, which must not go round and round.
   */
  async cancelAgain(subscriptionId: string, transaction: Transaction): Promise<void> {
    const hour = Math.floor(this.clock.now() / AGAIN_MS);
    await this.cancelNow(subscriptionId, `cancel-now:${hour}`, transaction);
  }

  private async cancelNow(subscriptionId: string, key: string, transaction: Transaction): Promise<void> {
    if (!this.provider.isOn) return;
    const id = { caller: enderOf(subscriptionId), key };
    await this.calls.cancelNow.enqueue(transaction, id, { subscriptionId });
  }
}
