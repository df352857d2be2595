import { Injectable } from '@nestjs/common';
import type { Transaction } from '@pulso/platform/postgres/writes';
import type { ProviderSubscription } from '../provider/payment-provider.js';
import { ProviderCalls } from '../provider-calls/provider-calls.js';
import { ProviderEndingRepository, type StoredEnding } from '../store/provider-ending.repository.js';
import { type NewRefund, RefundRepository } from '../store/refund.repository.js';
import { payBackMinor } from './pay-back.js';

/** Pays back what is left of ended subscriptions, once each. */
@Injectable()
export class RefundEnded {
  constructor(
    private readonly endings: ProviderEndingRepository,
    private readonly refunds: RefundRepository,
    private readonly calls: ProviderCalls,
  ) {}

  /** Requires the lock of the pair. Waits for the end at the provider: until then more could be paid. */
  async execute(
    endings: readonly StoredEnding[],
    provided: readonly ProviderSubscription[],
    transaction: Transaction,
  ): Promise<void> {
    for (const ending of endings) {
      const found = provided.find(({ id }) => id === ending.providerSubscriptionId);
      if (ending.refundedMinor !== null || found?.status !== 'cancelled') continue;
      const payment = found.latestPayment;
      const paymentId = payment?.paymentId ?? null;
      const orderedMinor = paymentId === null ? 0 : await this.refunds.orderedMinor(paymentId, transaction);
      const amountMinor = payBackMinor(ending.refund, found, { endedAt: ending.endedAt, orderedMinor });
      await this.endings.refunded(found.id, amountMinor, transaction);
      if (paymentId === null || amountMinor === 0) continue;
      const { currency, id: providerSubscriptionId } = found;
      const reason = ending.reason;
      await this.order({ providerSubscriptionId, paymentId, amountMinor, currency, reason }, transaction);
    }
  }

  /** Orders a refund, which the provider then makes once. Requires the lock of the pair. */
  async order(refund: NewRefund, transaction: Transaction): Promise<void> {
    const key = await this.refunds.add(refund, transaction);
    const { paymentId, amountMinor, reason } = refund;
    await this.calls.refund.enqueue(
      transaction,
      { caller: 'refunds', key },
      { paymentId, amountMinor, reason },
    );
  }
}
