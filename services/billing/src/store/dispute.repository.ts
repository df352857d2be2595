import { Injectable } from '@nestjs/common';
import { statement, Statements } from '@pulso/platform/postgres/statements';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import type { Pair } from './subscription.repository.js';

/** A dispute as the provider has it; the amount is in minor units. */
interface Seen {
  id: string;
  paymentId: string;
  amountMinor: number;
  state: 'open' | 'lost' | 'won';
}

/** What has become of the coach's share: each call is `taking` or `giving` until it has ended. */
export type Share = 'untouched' | 'taking' | 'taken' | 'take-refused' | 'giving' | 'given' | 'give-refused';

export interface StoredDispute {
  share: Share;
  /** What was taken back, in minor units; null until that is known. */
  shareMinor: number | null;
  /** When the last call about it was ordered. */
  orderedAt: Date | null;
}

/** As operators see it. */
export interface ListedDispute extends Omit<StoredDispute, 'orderedAt'> {
  id: string;
  user: string;
  coach: string;
  amountMinor: number;
  currency: string;
  state: Seen['state'];
  seenAt: Date;
}

const SEE = statement<StoredDispute>(
  'disputes.see',
  `INSERT INTO disputes (id, provider_subscription_id, payment_id, user_id, coach_id, amount_minor, currency, state, share, seen_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'untouched', $9)
   ON CONFLICT (id) DO UPDATE SET state = excluded.state, amount_minor = excluded.amount_minor
   RETURNING share, share_minor AS "shareMinor", ordered_at AS "orderedAt"`,
);

const ORDERED = statement(
  'disputes.ordered',
  'UPDATE disputes SET share = $2, ordered_at = $3 WHERE id = $1',
);

// A late success replaces a refusal, never the other way round.
const TAKEN = statement<{ subscriptionId: string }>(
  'disputes.taken',
  `UPDATE disputes SET share = CASE WHEN $2::int IS NULL THEN 'take-refused' ELSE 'taken' END, share_minor = $2
   WHERE id = $1 AND share IN ('taking', 'take-refused')
   RETURNING provider_subscription_id AS "subscriptionId"`,
);

const GIVEN = statement(
  'disputes.given',
  `UPDATE disputes SET share = CASE WHEN $2::boolean THEN 'given' ELSE 'give-refused' END
   WHERE id = $1 AND share IN ('giving', 'give-refused')`,
);

const UNSETTLED = statement<{ customerId: string }>(
  'disputes.unsettled',
  `SELECT DISTINCT c.customer_id AS "customerId"
   FROM json_to_recordset($1) AS given (id text, "customerId" text, state text)
   JOIN provider_customers c ON c.customer_id = given."customerId"
   LEFT JOIN disputes d ON d.id = given.id
   WHERE d.id IS NULL OR d.state <> given.state OR d.share = 'give-refused'
     OR d.share = 'take-refused' AND d.state <> 'won'`,
);

const LIST = statement<ListedDispute>(
  'disputes.list',
  `SELECT d.id, coalesce(u.username, d.user_id::text) AS user, coalesce(c.username, d.coach_id::text) AS coach,
     d.amount_minor AS "amountMinor", d.currency, d.state, d.share, d.share_minor AS "shareMinor", d.seen_at AS "seenAt"
   FROM disputes d LEFT JOIN known_users u ON u.id = d.user_id LEFT JOIN known_users c ON c.id = d.coach_id
   ORDER BY d.seen_at DESC, d.id DESC LIMIT $1`,
);

/** Payments of subscriptions that were disputed, and the coach's share of each. */
@Injectable()
export class DisputeRepository {
  constructor(
    private readonly statements: Statements,
    private readonly clock: Clock,
  ) {}

  /** Stores how the provider has it now. Requires the lock of the pair. */
  async see(
    { id, paymentId, amountMinor, state }: Seen,
    { id: subscriptionId, pair, currency }: { id: string; pair: Pair; currency: string },
    transaction: Transaction,
  ): Promise<StoredDispute> {
    const about = [subscriptionId, paymentId, pair.userId, pair.coachId, amountMinor, currency, state];
    const [stored] = await transaction.rows(SEE, [id, ...about, new Date(this.clock.now())]);
    return stored!;
  }

  async ordered(id: string, share: 'taking' | 'giving', transaction: Transaction): Promise<void> {
    await transaction.rows(ORDERED, [id, share, new Date(this.clock.now())]);
  }

  /** `takenMinor` is undefined where the provider has refused. Returns the subscription's id at the provider. */
  async taken(
    id: string,
    takenMinor: number | undefined,
    transaction: Transaction,
  ): Promise<string | undefined> {
    return (await transaction.rows(TAKEN, [id, takenMinor ?? null]))[0]?.subscriptionId;
  }

  async given(id: string, isGiven: boolean, transaction: Transaction): Promise<void> {
    await transaction.rows(GIVEN, [id, isGiven]);
  }

  /** Which of these disputes' customers have to be read again: those of disputes that are stored otherwise, or not settled. */
  async unsettled(
    disputes: readonly { id: string; state: Seen['state']; customerId: string }[],
  ): Promise<string[]> {
    const rows = await this.statements.rows(UNSETTLED, [JSON.stringify(disputes)]);
    return rows.map(({ customerId }) => customerId);
  }

  /** The latest first. */
  list(limit: number): Promise<ListedDispute[]> {
    return this.statements.rows(LIST, [limit]);
  }
}
