import { STAGE_EVENTS } from '@pulso/platform/postgres/postgres-outbox';
import { statement } from '@pulso/platform/postgres/statements';
import type { EndReason } from './end-reason.js';
import type { Subscription } from './subscription.entity.js';

type Times = 'startDate' | 'createdAt' | 'cancelledAt' | 'currentPeriodEnd' | 'accessUntil' | 'unpaidSince';

/** A subscription as PostgreSQL's client gives it. */
export type SubscriptionRow = Omit<Subscription, Times | 'begun' | 'version'> &
  Record<Exclude<Times, 'createdAt'>, Date | null> & { createdAt: Date; begun: string; version: string };

const COLUMN_OF: Readonly<Record<keyof Subscription, string>> = {
  userId: 'user_id',
  coachId: 'coach_id',
  id: 'id',
  planType: 'plan_type',
  status: 'status',
  startDate: 'start_date',
  createdAt: 'created_at',
  cancelledAt: 'cancelled_at',
  currentPeriodEnd: 'current_period_end',
  cancelAtPeriodEnd: 'cancel_at_period_end',
  accessUntil: 'access_until',
  priceMinor: 'price_minor',
  priceCurrency: 'price_currency',
  providerSubscriptionId: 'provider_subscription_id',
  providerCustomerId: 'provider_customer_id',
  unpaidSince: 'unpaid_since',
  everActive: 'ever_active',
  givesAccess: 'gives_access',
  begun: 'begun',
  version: 'version',
};
const COLUMNS = Object.values(COLUMN_OF);
const REPLACED = COLUMNS.filter((name) => name !== COLUMN_OF.userId && name !== COLUMN_OF.coachId);

/** SQL: the columns of a `SubscriptionRow`. */
export const SUBSCRIPTION_COLUMNS = Object.entries(COLUMN_OF)
  .map(([property, column]) => `${column} AS "${property}"`)
  .join(', ');

/** The subscription of a user ($1) to a coach ($2), locked. */
export const LOCK = statement<SubscriptionRow>(
  'subscriptions.lock',
  `SELECT ${SUBSCRIPTION_COLUMNS} FROM subscriptions WHERE user_id = $1 AND coach_id = $2 FOR UPDATE`,
);

interface ActFacts {
  /** The reasons of the endings that wait for the subscription, the oldest first. */
  waitingEndings: EndReason[];
  nextBeginning: string;
  blocked: boolean;
  blockedBy: boolean;
  coachPriceMinor: number | null;
  coachCurrency: string | null;
}

/** The same with what an act of the user needs to know; where there is no subscription, its columns are null. */
export const LOCK_FOR_ACT = statement<(SubscriptionRow | { id: null }) & ActFacts>(
  'subscriptions.lock-for-act',
  `WITH mine AS MATERIALIZED (
     SELECT * FROM subscriptions WHERE user_id = $1::uuid AND coach_id = $2::uuid FOR UPDATE
   )
   SELECT ${SUBSCRIPTION_COLUMNS},
     ARRAY(
       SELECT reason FROM endings e WHERE e.up_to > mine.begun
         AND (e.user_id = $1::uuid AND e.side = 'subscriber' OR e.user_id = $2::uuid AND e.side = 'coach')
       ORDER BY e.up_to
     ) AS "waitingEndings",
     nextval('subscription_beginnings') AS "nextBeginning",
     EXISTS (SELECT FROM known_blocks WHERE (blocker_id, blocked_id) = ($1::uuid, $2::uuid) AND active) AS blocked,
     EXISTS (SELECT FROM known_blocks WHERE (blocker_id, blocked_id) = ($2::uuid, $1::uuid) AND active) AS "blockedBy",
     price.minor AS "coachPriceMinor", price.currency AS "coachCurrency"
   FROM (SELECT) AS act LEFT JOIN mine ON true LEFT JOIN (
     SELECT price_minor AS minor, currency FROM coach_prices WHERE coach_id = $2::uuid
   ) AS price ON true`,
);

/** Up to $2 subscriptions whose access has lapsed at $1, locked; not those that another process has locked. */
export const LOCK_LAPSED = statement<SubscriptionRow>(
  'subscriptions.lock-lapsed',
  `SELECT ${SUBSCRIPTION_COLUMNS} FROM subscriptions WHERE gives_access AND access_until <= $1::timestamptz
   ORDER BY access_until LIMIT $2 FOR UPDATE SKIP LOCKED`,
);

/**
 * Writes subscriptions ($6, JSON of `toStored`) with their events, then adds what they change ($7) to the counts of their
 * coaches. The coaches come in the order of their ids, so that two transactions never wait for each other.
 */
export const SAVE = statement<{ key: string }>(
  'subscriptions.save',
  `WITH staged AS (
     ${STAGE_EVENTS}
   ), saved AS (
     INSERT INTO subscriptions (${COLUMNS.join(', ')})
     SELECT ${COLUMNS.join(', ')} FROM json_populate_recordset(NULL::subscriptions, $6)
     ON CONFLICT (user_id, coach_id) DO UPDATE SET ${REPLACED.map((name) => `${name} = excluded.${name}`).join(', ')}
   ), changes AS (
     SELECT coach_id, live, ever FROM json_to_recordset($7) AS change (coach_id uuid, live integer, ever integer)
   ), counted AS (
     INSERT INTO coach_counts AS kept (coach_id, live_count, ever_count)
     SELECT coach_id, greatest(live, 0), greatest(ever, 0) FROM changes ORDER BY coach_id
     ON CONFLICT (coach_id) DO UPDATE SET (live_count, ever_count) = (
       SELECT greatest(kept.live_count + live, 0), greatest(kept.ever_count + ever, 0)
       FROM changes WHERE changes.coach_id = kept.coach_id)
   )
   SELECT key FROM staged`,
);

/** A subscription from its row. */
export function toSubscription({ begun, version, ...row }: SubscriptionRow): Subscription {
  return {
    ...row,
    startDate: row.startDate?.getTime() ?? null,
    createdAt: row.createdAt.getTime(),
    cancelledAt: row.cancelledAt?.getTime() ?? null,
    currentPeriodEnd: row.currentPeriodEnd?.getTime() ?? null,
    accessUntil: row.accessUntil?.getTime() ?? null,
    unpaidSince: row.unpaidSince?.getTime() ?? null,
    begun: Number(begun),
    version: Number(version),
  };
}

/** A subscription by the names of its columns, as `SAVE` takes it. */
export function toStored(subscription: Subscription): object {
  const stored = {
    ...subscription,
    startDate: orDate(subscription.startDate),
    createdAt: new Date(subscription.createdAt),
    cancelledAt: orDate(subscription.cancelledAt),
    currentPeriodEnd: orDate(subscription.currentPeriodEnd),
    accessUntil: orDate(subscription.accessUntil),
    unpaidSince: orDate(subscription.unpaidSince),
  };
  return Object.fromEntries(
    Object.entries(COLUMN_OF).map(([property, column]) => [column, stored[property as keyof Subscription]]),
  );
}

const orDate = (time: number | null): Date | null => (time === null ? null : new Date(time));
