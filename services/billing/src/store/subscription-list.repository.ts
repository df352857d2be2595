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

/** A subscription with its coach's price at this moment. */
export interface PricedSubscription {
  subscription: Subscription;
  price: Price;
}

interface PriceColumns {
  coachPriceMinor: number | null;
  coachCurrency: string | null;
}

type PricedRow = SubscriptionRow & PriceColumns;

const PRICED = `subscriptions AS s LEFT JOIN (
  SELECT coach_id AS priced_id, price_minor AS "coachPriceMinor", currency AS "coachCurrency" FROM coach_prices
) AS price ON price.priced_id = s.coach_id`;

const COLUMNS = `${SUBSCRIPTION_COLUMNS.replaceAll(/(^|, )/g, '$1s.')}, "coachPriceMinor", "coachCurrency"`;

/** With the state of the user $1; where they have no subscription to list, one row without one. */
const listed = (condition: string) =>
  `SELECT listed.*, caller.status AS "callerStatus", caller.is_coach AS "callerIsCoach"
   FROM (SELECT) AS call LEFT JOIN known_users AS caller ON caller.id = $1::uuid LEFT JOIN (
     SELECT ${COLUMNS} FROM ${PRICED}
     WHERE s.user_id = $1::uuid AND (coalesce(s.start_date, s.created_at), s.id) < ($2::timestamptz, $3::uuid) AND ${condition}
     ORDER BY coalesce(s.start_date, s.created_at) DESC, s.id DESC LIMIT $4
   ) AS listed ON true
   ORDER BY coalesce(listed."startDate", listed."createdAt") DESC, listed.id DESC`;

interface CallerColumns {
  callerStatus: KnownUser['status'] | null;
  callerIsCoach: boolean;
}

type ListedRow = (PricedRow | { id: null }) & CallerColumns;

const LIST_ALL = statement<ListedRow>('subscriptions.list-all', listed('true'));
const LIST_OPEN = statement<ListedRow>('subscriptions.list-open', listed(givesAccessAt('s', '$5')));

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

  /** Those that give access now, or all; and the user, undefined while their state has not arrived. */
  async list(
    userId: string,
    all: boolean,
    slice: Slice,
  ): Promise<{ caller: KnownUser | undefined; items: PricedSubscription[] }> {
    const values = [userId, ...afterParameters(slice), slice.limit];
    const rows = all
      ? await this.statements.rows(LIST_ALL, values)
      : await this.statements.rows(LIST_OPEN, [...values, new Date(this.clock.now())]);
    const { callerStatus: status, callerIsCoach: isCoach } = rows[0]!;
    const caller = status === null ? undefined : { id: userId, status, isCoach };
    const items = rows.flatMap(({ callerStatus: _status, callerIsCoach: _isCoach, ...row }) =>
      row.id === null ? [] : [toPriced(row)],
    );
    return { caller, items };
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
