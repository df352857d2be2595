import { Injectable } from '@nestjs/common';
import type { Slice } from '@pulso/platform/paging/list-page';
import { afterParameters } from '@pulso/platform/postgres/after-parameters';
import { statement, Statements } from '@pulso/platform/postgres/statements';
import { Clock } from '@pulso/platform/time/clock';
import type { KnownUser } from '@pulso/platform/postgres/user-projection';
import { NO_PRICE, type Price } from './coach-price.entity.js';
import type { Subscription } from './subscription.entity.js';
import { SUBSCRIPTION_COLUMNS, type SubscriptionRow, toSubscription } from './subscription-statements.js';
import { givesAccessAt } from './subscription.js';

/** The position in its owner's list: when the subscription began, or was made if it never has. */
export const placeOf = ({ startDate, createdAt, id }: Subscription) => ({
  createdAt: startDate ?? createdAt,
  id,
});

/** What a payer is told of a subscription beside its terms is told for so long (SUBS-35). */
const TOLD_MS = 60 * 24 * 60 * 60_000;
/** How many ended subscriptions of which something is told stand beside the list. */
const MAX_ENDED = 10;

/** A subscription with its coach's price at this moment. */
export interface PricedSubscription {
  subscription: Subscription;
  price: Price;
  /** What is told of it; undefined where nothing is, and outside of lists. */
  told?: Told | undefined;
}

/** What a payer is told of a subscription beside its terms (SUBS-35). */
export interface Told {
  /** All that was paid back, and when for the last time; null where nothing was. */
  refunded: { amountMinor: number; currency: string; at: number } | null;
  /** It was ended because a payment of it was disputed. */
  isDisputed: boolean;
}

interface PriceColumns {
  coachPriceMinor: number | null;
  coachCurrency: string | null;
}

type PricedRow = SubscriptionRow & PriceColumns;

interface ToldColumns {
  refundedMinor: number | null;
  refundCurrency: string | null;
  refundedAt: Date | null;
  isDisputed: boolean | null;
}

const PRICED = `subscriptions AS s LEFT JOIN (
  SELECT coach_id AS priced_id, price_minor AS "coachPriceMinor", currency AS "coachCurrency" FROM coach_prices
) AS price ON price.priced_id = s.coach_id`;

const COLUMNS = `${SUBSCRIPTION_COLUMNS.replaceAll(/(^|, )/g, '$1s.')}, "coachPriceMinor", "coachCurrency"`;

/** What the payer was told of the subscription `s` since the time of the parameter `since`; one row. */
const toldSince = (since: string) => `LATERAL (
  SELECT (sum(n.amount_minor) FILTER (WHERE n.kind = 'refunded'))::float8 AS "refundedMinor",
    min(n.currency) FILTER (WHERE n.kind = 'refunded') AS "refundCurrency",
    max(n.at) FILTER (WHERE n.kind = 'refunded') AS "refundedAt",
    bool_or(n.kind = 'disputed') AS "isDisputed"
  FROM payment_notices n
  WHERE n.provider_subscription_id = s.provider_subscription_id AND n.kind IN ('refunded', 'disputed')
    AND n.at > ${since}::timestamptz
) AS told ON true`;

/** The subscriptions of the user $1 behind ($2, $3) for which the condition holds, at most `limit`. */
const slice = ({ condition, since, limit, isEnded }: ListPart) => `(
  SELECT ${COLUMNS}, told.*, ${isEnded} AS "isEnded" FROM ${PRICED} LEFT JOIN ${toldSince(since)}
  WHERE s.user_id = $1::uuid AND (coalesce(s.start_date, s.created_at), s.id) < ($2::timestamptz, $3::uuid) AND ${condition}
  ORDER BY coalesce(s.start_date, s.created_at) DESC, s.id DESC LIMIT ${limit})`;

interface ListPart {
  condition: string;
  since: string;
  limit: string;
  isEnded: boolean;
}

/** With the state of the user $1; where they have no subscription to list, one row without one. */
const listed = (...parts: ListPart[]) =>
  `SELECT listed.*, caller.status AS "callerStatus", caller.is_coach AS "callerIsCoach"
   FROM (SELECT) AS call LEFT JOIN known_users AS caller ON caller.id = $1::uuid
     LEFT JOIN (${parts.map(slice).join(' UNION ALL ')}) AS listed ON true
   ORDER BY coalesce(listed."startDate", listed."createdAt") DESC, listed.id DESC`;

interface CallerColumns {
  callerStatus: KnownUser['status'] | null;
  callerIsCoach: boolean;
}

type ListedRow = ((PricedRow & ToldColumns & { isEnded: boolean }) | { id: null }) & CallerColumns;

const LIST_ALL = statement<ListedRow>(
  'subscriptions.list-all',
  listed({ condition: 'true', since: '$5', limit: '$4', isEnded: false }),
);
const LIST_OPEN = statement<ListedRow>(
  'subscriptions.list-open',
  listed(
    { condition: givesAccessAt('s', '$6'), since: '$5', limit: '$4', isEnded: false },
    {
      // Of the first page alone.
      condition: `$2::timestamptz = 'infinity' AND NOT ${givesAccessAt('s', '$6')}
        AND s.provider_subscription_id IS NOT NULL AND told."isDisputed" IS NOT NULL`,
      ...{ since: '$5', limit: String(MAX_ENDED), isEnded: true },
    },
  ),
);

const FIND = statement<PricedRow>(
  'subscriptions.find',
  `SELECT ${COLUMNS} FROM ${PRICED} WHERE s.user_id = $1 AND s.coach_id = $2`,
);

/** A member's subscriptions, the latest first; each answer is one statement. */
@Injectable()
export class SubscriptionListRepository {
  constructor(
    private readonly statements: Statements,
    private readonly clock: Clock,
  ) {}

  async find(userId: string, coachId: string): Promise<PricedSubscription | undefined> {
    const row = await this.statements.row(FIND, [userId, coachId]);
    return row && toPriced(row);
  }

  /**
   * Those that give access now, or all; and the user, undefined while their state has not arrived. `ended`: beside the first page
   * of those that give access, others of which something is told.
   */
  async list(
    userId: string,
    all: boolean,
    slice: Slice,
  ): Promise<{ caller: KnownUser | undefined; items: PricedSubscription[]; ended: PricedSubscription[] }> {
    const now = this.clock.now();
    const values = [userId, ...afterParameters(slice), slice.limit, new Date(now - TOLD_MS)];
    const rows = all
      ? await this.statements.rows(LIST_ALL, values)
      : await this.statements.rows(LIST_OPEN, [...values, new Date(now)]);
    const { callerStatus: status, callerIsCoach: isCoach } = rows[0]!;
    const caller = status === null ? undefined : { id: userId, status, isCoach };
    const found = rows.flatMap(({ callerStatus: _status, callerIsCoach: _isCoach, ...row }) =>
      row.id === null ? [] : [row],
    );
    const of = (ended: boolean) => found.filter(({ isEnded }) => isEnded === ended).map(toListed);
    return { caller, items: of(false), ended: of(true) };
  }
}

const toPriced = ({
  coachPriceMinor: priceMinor,
  coachCurrency: currency,
  ...row
}: PricedRow): PricedSubscription => ({
  subscription: toSubscription(row),
  price: currency === null ? NO_PRICE : { priceMinor, currency },
});

const toListed = ({
  refundedMinor,
  refundCurrency,
  refundedAt,
  isDisputed,
  isEnded: _isEnded,
  ...row
}: PricedRow & ToldColumns & { isEnded: boolean }): PricedSubscription => ({
  ...toPriced(row),
  told: {
    refunded: refundedAt && {
      amountMinor: refundedMinor!,
      currency: refundCurrency!,
      at: refundedAt.getTime(),
    },
    isDisputed: isDisputed === true,
  },
});
