import { Injectable } from '@nestjs/common';
import { newIdAt } from '@pulso/platform/ids/uuid-v7';
import { statement } from '@pulso/platform/postgres/statements';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { Inbox, OWN_EVENT } from './inbox.js';

// Reads that have begun may not have seen what the transaction is about: they write nothing.
const VOID_READS = statement<object>(
  'sync.void-reads',
  `UPDATE provider_customers SET read_begun = read_begun + 1, read_written = read_begun + 1 WHERE customer_id = $1`,
);

const PAYER = statement<{ customerId: string }>(
  'sync.payer',
  `SELECT customer_id AS "customerId" FROM provider_endings
   WHERE provider_subscription_id = $1 AND customer_id IS NOT NULL
   UNION
   SELECT provider_customer_id FROM subscriptions
   WHERE provider_subscription_id = $1 AND provider_customer_id IS NOT NULL`,
);

/**
 * Orders in a transaction that a customer's subscriptions are read again. The order is an event of Pulso's own in the inbox: a
 * crash loses nothing.
 */
@Injectable()
export class SyncRequests {
  constructor(
    private readonly inbox: Inbox,
    private readonly clock: Clock,
  ) {}

  /** `why` is seen by operators. */
  async order(customerId: string, why: string, transaction: Transaction): Promise<void> {
    await transaction.rows(VOID_READS, [customerId]);
    const now = this.clock.now();
    const event = {
      id: `${OWN_EVENT}${newIdAt(now)}`,
      type: why,
      account: null,
      accountId: null,
      disputeId: null,
    };
    await this.inbox.put({ ...event, createdAt: now, customerId }, transaction);
  }

  /** The same for whoever pays for one of Pulso's subscriptions at the provider. */
  async orderFor(providerSubscriptionId: string, why: string, transaction: Transaction): Promise<void> {
    for (const { customerId } of await transaction.rows(PAYER, [providerSubscriptionId]))
      await this.order(customerId, why, transaction);
  }
}
