import { Injectable } from '@nestjs/common';
import { statement, Statements } from '@pulso/platform/postgres/statements';
import type { Transaction } from '@pulso/platform/postgres/writes';
import type { EndReason } from './end-reason.js';
import type { Pair } from './subscription.repository.js';

/** How much of the latest payment goes back when a subscription ends before its period does (SUBS-12). */
export type Refund = 'none' | 'unused' | 'all';

/** A subscription at the provider that billing has ended: it never gives access again, whatever is read of it. */
export interface ProviderEnding extends Pair {
  providerSubscriptionId: string;
  /** Who pays for it; null where billing does not know. */
  customerId: string | null;
  reason: EndReason | 'second';
  refund: Refund;
  endedAt: number;
}

/** As it is stored. */
export interface StoredEnding extends Omit<ProviderEnding, 'customerId'> {
  /** What was ordered to be paid back; null until it is decided. */
  refundedMinor: number | null;
}

type Row = Omit<StoredEnding, 'endedAt'> & { endedAt: Date };

const COLUMNS = `provider_subscription_id AS "providerSubscriptionId", user_id AS "userId", coach_id AS "coachId", reason,
  refund, ended_at AS "endedAt", refunded_minor AS "refundedMinor"`;

const ADD = statement(
  'provider-endings.add',
  `INSERT INTO provider_endings (provider_subscription_id, customer_id, user_id, coach_id, reason, refund, ended_at)
   VALUES ($1, $7, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`,
);

const OF_PAIR = statement<Row>(
  'provider-endings.of-pair',
  `SELECT ${COLUMNS} FROM provider_endings WHERE user_id = $1 AND coach_id = $2`,
);

const REFUNDED = statement(
  'provider-endings.refunded',
  'UPDATE provider_endings SET refunded_minor = $2 WHERE provider_subscription_id = $1',
);

/** A call that was refused is ordered again later; until one is done, the subscription may live on at the provider. */
const WAITING = statement(
  'provider-endings.waiting',
  `SELECT FROM provider_endings AS ending JOIN foreign_calls AS call
     ON call.kind = 'cancelNow' AND call.caller = $2 || ending.provider_subscription_id
   WHERE (ending.user_id = $1 OR ending.coach_id = $1) AND call.state <> 'done' AND NOT EXISTS (
     SELECT FROM foreign_calls AS done
     WHERE done.kind = call.kind AND done.caller = call.caller AND done.state = 'done')
   LIMIT 1`,
);

/** Subscriptions at the provider that billing has ended. */
@Injectable()
export class ProviderEndingRepository {
  constructor(private readonly statements: Statements) {}

  /**
   * Whether a subscription of the user, or to the user, has to be ended at the provider and that has not been done yet. `caller` is
   * what the callers of such calls begin with.
   */
  async isWaitingFor(userId: string, caller: string): Promise<boolean> {
    return (await this.statements.rows(WAITING, [userId, caller])).length > 0;
  }

  /** One that is known stays as it is. */
  async add(ending: ProviderEnding, transaction: Transaction): Promise<void> {
    const { providerSubscriptionId, userId, coachId, reason, refund, endedAt, customerId } = ending;
    const values = [providerSubscriptionId, userId, coachId, reason, refund, new Date(endedAt), customerId];
    await transaction.rows(ADD, values);
  }

  async ofPair({ userId, coachId }: Pair, transaction: Transaction): Promise<StoredEnding[]> {
    const rows = await transaction.rows(OF_PAIR, [userId, coachId]);
    return rows.map(({ endedAt, ...row }) => ({ ...row, endedAt: endedAt.getTime() }));
  }

  /** Stores what was ordered to be paid back, once. */
  async refunded(id: string, amountMinor: number, transaction: Transaction): Promise<void> {
    await transaction.rows(REFUNDED, [id, amountMinor]);
  }
}
