import { Injectable } from '@nestjs/common';
import type { Slice } from '@pulso/platform/paging/list-page';
import { afterParameters } from '@pulso/platform/postgres/after-parameters';
import { statement, Statements } from '@pulso/platform/postgres/statements';
import { Clock } from '@pulso/platform/time/clock';
import type { Subscription } from './subscription.entity.js';
import { SUBSCRIPTION_COLUMNS, type SubscriptionRow, toSubscription } from './subscription-statements.js';
import { givesAccessAt } from './subscription.js';

/** The position in its owner's list: when the subscription began, or was made if it never has. */
export const placeOf = ({ startDate, createdAt, id }: Subscription) => ({
  createdAt: startDate ?? createdAt,
  id,
});

const listed = (condition: string) =>
  `SELECT ${SUBSCRIPTION_COLUMNS} FROM subscriptions s
   WHERE user_id = $1 AND (coalesce(start_date, created_at), id) < ($2::timestamptz, $3::uuid) AND ${condition}
   ORDER BY coalesce(start_date, created_at) DESC, id DESC LIMIT $4`;
const LIST_ALL = statement<SubscriptionRow>('subscriptions.list-all', listed('true'));
const LIST_OPEN = statement<SubscriptionRow>('subscriptions.list-open', listed(givesAccessAt('s', '$5')));

const FIND = statement<SubscriptionRow>(
  'subscriptions.find',
  `SELECT ${SUBSCRIPTION_COLUMNS} FROM subscriptions WHERE user_id = $1 AND coach_id = $2`,
);

/** A member's subscriptions, the latest first. */
@Injectable()
export class SubscriptionListRepository {
  constructor(
    private readonly statements: Statements,
    private readonly clock: Clock,
  ) {}

  async find(userId: string, coachId: string): Promise<Subscription | undefined> {
    const row = await this.statements.row(FIND, [userId, coachId]);
    return row && toSubscription(row);
  }

  /** Those that give access now, or all. */
  async list(userId: string, all: boolean, slice: Slice): Promise<Subscription[]> {
    const values = [userId, ...afterParameters(slice), slice.limit];
    const rows = all
      ? await this.statements.rows(LIST_ALL, values)
      : await this.statements.rows(LIST_OPEN, [...values, new Date(this.clock.now())]);
    return rows.map(toSubscription);
  }
}
