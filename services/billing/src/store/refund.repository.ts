import { Injectable } from '@nestjs/common';
import { newIdAt } from '@pulso/platform/ids/uuid-v7';
import { statement } from '@pulso/platform/postgres/statements';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';

/** Money to be paid back. Amounts are in minor units. */
export interface NewRefund {
  providerSubscriptionId: string;
  paymentId: string;
  amountMinor: number;
  currency: string;
  reason: string;
}

const ORDERED_MINOR = statement<{ sum: number }>(
  'refunds.ordered-minor',
  `SELECT coalesce(sum(amount_minor), 0)::int AS sum FROM refunds WHERE payment_id = $1 AND state <> 'refused'`,
);

const ADD = statement(
  'refunds.add',
  `INSERT INTO refunds (id, provider_subscription_id, payment_id, amount_minor, currency, reason, state, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, 'ordered', $7)`,
);

// A late success replaces a refusal, never the other way round.
const SETTLE = statement(
  'refunds.settle',
  `UPDATE refunds SET state = $2, refund_id = $3 WHERE id = $1::uuid AND state <> 'paid'`,
);

/** The refunds that billing has ordered: each is one call to the provider, under its id. */
@Injectable()
export class RefundRepository {
  constructor(private readonly clock: Clock) {}

  /** What was ordered to be paid back of a payment, refused ones apart. Requires the lock of the pair. */
  async orderedMinor(paymentId: string, transaction: Transaction): Promise<number> {
    const [row] = await transaction.rows(ORDERED_MINOR, [paymentId]);
    return row!.sum;
  }

  /** Returns its id. */
  async add(refund: NewRefund, transaction: Transaction): Promise<string> {
    const { providerSubscriptionId, paymentId, amountMinor, currency, reason } = refund;
    const now = this.clock.now();
    const id = newIdAt(now);
    const values = [id, providerSubscriptionId, paymentId, amountMinor, currency, reason, new Date(now)];
    await transaction.rows(ADD, values);
    return id;
  }

  /** How the call ended; `refundId` is the provider's, undefined where it has refused. */
  async settle(id: string, refundId: string | undefined, transaction: Transaction): Promise<void> {
    await transaction.rows(SETTLE, [id, refundId === undefined ? 'refused' : 'paid', refundId ?? null]);
  }
}
