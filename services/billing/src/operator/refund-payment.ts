import { Injectable } from '@nestjs/common';
import { AuditTrail } from '@pulso/platform/audit/audit-trail';
import { DomainError, notFound } from '@pulso/platform/errors/domain-error';
import { PairWrites } from '@pulso/platform/postgres/pair-writes';
import { requireProvider } from '../provider/provider-errors.js';
import { Provider } from '../provider/provider.js';
import { readLimit } from '../provider/read-limit.js';
import { RefundRepository } from '../store/refund.repository.js';
import { type Pair, SubscriptionRepository } from '../store/subscription.repository.js';
import { leftMinor } from '../sync/pay-back.js';
import { RefundEnded } from '../sync/refund-ended.js';
import { moneyText } from './money-text.js';

/** A refund as it is ordered, or would be; amounts are in minor units. */
export interface OrderedRefund {
  paymentId: string;
  currency: string;
  paidMinor: number;
  /** What could be paid back before it. */
  leftMinor: number;
}

/** Pays back a part of what a member has paid last for a coach, for an operator. */
@Injectable()
export class RefundPayment {
  constructor(
    private readonly provider: Provider,
    private readonly pairs: PairWrites,
    private readonly subscriptions: SubscriptionRepository,
    private readonly refunds: RefundRepository,
    private readonly orders: RefundEnded,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Throws `payments-not-configured`, `not-found` where nothing was paid, `unprocessable` for more than is left, and what the
   * provider throws.
   */
  async execute(
    pair: Pair,
    { amountMinor, by, reason, apply }: { amountMinor: number; by: string; reason: string; apply: boolean },
  ): Promise<OrderedRefund> {
    requireProvider(this.provider);
    const { userId, coachId } = pair;
    const { providerSubscriptionId, customerId } = await this.pairs.run(
      userId,
      coachId,
      async (transaction) => {
        const { providerSubscriptionId: id, providerCustomerId: customer } =
          (await this.subscriptions.lock(pair, transaction)) ?? {};
        if (!id || !customer) throw notFound('Nothing was paid for this subscription');
        return { providerSubscriptionId: id, customerId: customer };
      },
    );
    const provided = await this.provider.subscriptionsOf(customerId, readLimit());
    const found = provided.find(({ id }) => id === providerSubscriptionId);
    const payment = found?.latestPayment;
    if (!payment || payment.paymentId === null) throw notFound('Nothing was paid for this subscription');
    const { paymentId, paidMinor } = payment;
    const { currency } = found;
    return this.pairs.run(userId, coachId, async (transaction) => {
      const left = leftMinor(found, await this.refunds.orderedMinor(paymentId, transaction));
      if (amountMinor > left)
        throw new DomainError('unprocessable', `At most ${moneyText(left, currency)} can be paid back`);
      if (apply) {
        await this.orders.order(
          { providerSubscriptionId, paymentId, amountMinor, currency, reason },
          transaction,
        );
        const outcome = `${moneyText(amountMinor, currency)} of ${paymentId} ordered to be paid back`;
        const deed = { by, command: 'refund', subject: `${userId} ${coachId}`, reason, outcome };
        await this.audit.record(deed, transaction);
      }
      return { paymentId, currency, paidMinor, leftMinor: left };
    });
  }
}
