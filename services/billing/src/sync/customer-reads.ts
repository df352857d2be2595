import { Injectable } from '@nestjs/common';
import { statement, Statements } from '@pulso/platform/postgres/statements';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { callerOf } from '../provider-calls/end-at-provider.js';
import type { Subscription } from '../store/subscription.entity.js';
import {
  SUBSCRIPTION_COLUMNS,
  type SubscriptionRow,
  toSubscription,
} from '../store/subscription-statements.js';

/** A read of a customer at the provider. A later one has a greater number. */
export interface CustomerRead {
  customerId: string;
  userId: string;
  number: number;
}

const BEGIN = statement<Omit<CustomerRead, 'number'> & { number: string }>(
  'customer-reads.begin',
  `UPDATE provider_customers SET read_begun = read_begun + 1 WHERE customer_id = $1
   RETURNING customer_id AS "customerId", user_id AS "userId", read_begun AS number`,
);

const WRITE = statement<{ customerId: string }>(
  'customer-reads.write',
  `UPDATE provider_customers SET read_written = $2 WHERE customer_id = $1 AND read_written <= $2
   RETURNING customer_id AS "customerId"`,
);

// Two calls may be made in another order than they were stored in: the one that failed first and was repeated comes last.
const OVERRULED = statement<{ wish: boolean }>(
  'customer-reads.overruled',
  `WITH calls AS (
     SELECT key, (request ->> 'cancelAtPeriodEnd')::boolean AS wish, created_at, ended_at FROM foreign_calls
     WHERE kind = 'setCancelAtPeriodEnd' AND caller = $1 AND request ->> 'subscriptionId' = $2 AND state = 'done'
   ), newest AS (
     SELECT key, wish FROM calls ORDER BY created_at DESC, key DESC LIMIT 1
   )
   SELECT wish FROM newest
   WHERE key <> (SELECT key FROM calls ORDER BY ended_at DESC, created_at DESC, key DESC LIMIT 1)`,
);

// A row that a newer read has begun was not there when this one looked.
const MISSING = statement<SubscriptionRow>(
  'customer-reads.missing',
  `SELECT ${SUBSCRIPTION_COLUMNS} FROM subscriptions
   WHERE user_id = $1 AND provider_customer_id = $2 AND status IN ('active', 'past_due') AND gives_access
     AND provider_subscription_id <> ALL ($3)
     AND EXISTS (SELECT FROM provider_customers WHERE customer_id = $2 AND read_written <= $4)`,
);

/** Orders the reads of a customer's subscriptions: what began before the last that was written writes nothing. */
@Injectable()
export class CustomerReads {
  constructor(private readonly statements: Statements) {}

  /** Undefined for a customer that is not Pulso's. Committed before the read begins. */
  async begin(customerId: string): Promise<CustomerRead | undefined> {
    const row = await this.statements.row(BEGIN, [customerId]);
    return row && { ...row, number: Number(row.number) };
  }

  /** Whether the read may write; then none that began before it may any more. */
  async mayWrite({ customerId, number }: CustomerRead, transaction: Transaction): Promise<boolean> {
    return (await transaction.rows(WRITE, [customerId, number])).length > 0;
  }

  /** The customer's subscriptions that give access and were not among those that were read. */
  async missing(read: CustomerRead, ids: readonly string[]): Promise<Subscription[]> {
    const { userId, customerId, number } = read;
    const rows = await this.statements.rows(MISSING, [userId, customerId, ids, number]);
    return rows.map(toSubscription);
  }

  /** Whether the subscription is to end with its period, where an older call for it has ended after the newest. */
  async overruledWish(subscription: Subscription, transaction: Transaction): Promise<boolean | undefined> {
    const [row] = await transaction.rows(OVERRULED, [
      callerOf(subscription),
      subscription.providerSubscriptionId,
    ]);
    return row?.wish;
  }
}
