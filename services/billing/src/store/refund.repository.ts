import { Injectable } from '@nestjs/common';
import { newIdAt } from '@pulso/platform/ids/uuid-v7';
import { statement, Statements } from '@pulso/platform/postgres/statements';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import type { Pair } from './subscription.repository.js';

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

/** A refund that the provider has made. */
export interface PaidRefund
  extends Pair, Pick<NewRefund, 'providerSubscriptionId' | 'amountMinor' | 'currency'> {
  id: string;
  /** Whether it is of a second subscription to the same coach, which was ended (SUBS-10). */
  isOfSecond: boolean;
}

// A late success replaces a refusal, never the other way round. An operator's refund is of the pair's present subscription.
const SETTLE = statement<PaidRefund>(
  'refunds.settle',
  `WITH settled AS (
     UPDATE refunds SET state = $2, refund_id = $3 WHERE id = $1::uuid AND state <> 'paid' RETURNING *
   )
   SELECT settled.id, provider_subscription_id AS "providerSubscriptionId", settled.amount_minor AS "amountMinor",
     settled.currency, coalesce(ending.user_id, mine.user_id) AS "userId",
     coalesce(ending.coach_id, mine.coach_id) AS "coachId", coalesce(ending.reason = 'second', false) AS "isOfSecond"
   FROM settled
   LEFT JOIN provider_endings ending USING (provider_subscription_id)
   LEFT JOIN subscriptions mine USING (provider_subscription_id)
   WHERE settled.state = 'paid' AND (ending.user_id IS NOT NULL OR mine.user_id IS NOT NULL)`,
);

/** A refund as operators see it. */
export interface ListedRefund extends NewRefund {
  id: string;
  state: 'ordered' | 'paid' | 'refused';
  createdAt: Date;
  /** When an operator said that a refused one was settled elsewhere. */
  dealtWithAt: Date | null;
}

const LISTED = `id, provider_subscription_id AS "providerSubscriptionId", payment_id AS "paymentId",
  amount_minor AS "amountMinor", currency, reason, state, created_at AS "createdAt", dealt_with_at AS "dealtWithAt"`;

const LIST = statement<ListedRefund>(
  'refunds.list',
  `SELECT ${LISTED} FROM refunds
   WHERE $1 OR (state <> 'paid' AND dealt_with_at IS NULL) ORDER BY created_at DESC, id DESC LIMIT $2`,
);

const LOCK = statement<ListedRefund>(
  'refunds.lock',
  `SELECT ${LISTED} FROM refunds WHERE id = $1::uuid FOR UPDATE`,
);

const DEAL_WITH = statement('refunds.deal-with', 'UPDATE refunds SET dealt_with_at = $2 WHERE id = $1::uuid');

/** The refunds that billing has ordered: each is one call to the provider, under its id. */
@Injectable()
export class RefundRepository {
  constructor(
    private readonly statements: Statements,
    private readonly clock: Clock,
  ) {}

  /** The latest first; unless `all`, those that are not made and that no operator has dealt with. */
  list({ all, limit }: { all: boolean; limit: number }): Promise<ListedRefund[]> {
    return this.statements.rows(LIST, [all, limit]);
  }

  /** Locks it until the transaction ends. */
  async lock(id: string, transaction: Transaction): Promise<ListedRefund | undefined> {
    return (await transaction.rows(LOCK, [id]))[0];
  }

  /** Stores that an operator has settled it elsewhere. Requires its lock. */
  async dealWith(id: string, transaction: Transaction): Promise<void> {
    await transaction.rows(DEAL_WITH, [id, new Date(this.clock.now())]);
  }

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

  /**
   * How the call ended; `refundId` is the provider's, undefined where it has refused. Returns the refund where it is paid now, and
   * was not before.
   */
  async settle(
    id: string,
    refundId: string | undefined,
    transaction: Transaction,
  ): Promise<PaidRefund | undefined> {
    const [paid] = await transaction.rows(SETTLE, [
      id,
      refundId === undefined ? 'refused' : 'paid',
      refundId ?? null,
    ]);
    return paid;
  }
}
