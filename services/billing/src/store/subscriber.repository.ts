import { Injectable } from '@nestjs/common';
import type { UserStatusName } from '@pulso/contracts/user-status';
import type { Slice } from '@pulso/platform/paging/list-page';
import { afterParameters } from '@pulso/platform/postgres/after-parameters';
import { statement, Statements } from '@pulso/platform/postgres/statements';
import { Clock } from '@pulso/platform/time/clock';
import { givesAccessAt, type SubscriptionStatus } from './subscription.js';

/** A member who ever had access. The user's columns are null while the projection does not hold them. */
export interface SubscriberRow {
  userId: string;
  subscriptionId: string;
  planType: string;
  status: SubscriptionStatus;
  startDate: Date;
  givesAccess: boolean;
  accessUntil: Date | null;
  /** A dispute of a payment has ended the subscription. */
  isDisputed: boolean;
  /** A bigint, as PostgreSQL's client gives it. */
  version: string;
  userStatus: UserStatusName | null;
  name: string | null;
  username: string | null;
  profileImageId: string | null;
  isCoach: boolean | null;
  /** The subscriber has blocked the coach. */
  isHidden: boolean;
}

/** SQL: a slice of a coach's list, an index range. */
export const SUBSCRIBERS_SQL = `
  SELECT s.*, ${givesAccessAt('s', '$5')} AS "givesAccess", s.access_until AS "accessUntil", u.status AS "userStatus", u.name, u.username,
    u.profile_image_id AS "profileImageId", u.is_coach AS "isCoach",
    EXISTS (
      SELECT FROM known_blocks b WHERE b.blocker_id = s."userId" AND b.blocked_id = $1 AND b.active
    ) AS "isHidden", EXISTS (
      SELECT FROM payment_notices n
      WHERE n.provider_subscription_id = s.provider_subscription_id AND n.kind = 'disputed'
    ) AS "isDisputed"
  FROM (
    SELECT user_id AS "userId", id AS "subscriptionId", plan_type AS "planType", status, start_date AS "startDate",
      gives_access, access_until, provider_subscription_id, version
    FROM subscriptions
    WHERE coach_id = $1 AND ever_active AND (start_date, id) < ($2::timestamptz, $3::uuid)
    ORDER BY start_date DESC, id DESC LIMIT $4
  ) s LEFT JOIN known_users u ON u.id = s."userId"
  ORDER BY s."startDate" DESC, s."subscriptionId" DESC`;

const LIST = statement<SubscriberRow>('subscribers.list', SUBSCRIBERS_SQL);

const PAID_MONTHLY = statement<{ currency: string; amountMinor: number }>(
  'subscribers.paid-monthly',
  `SELECT s.price_currency AS currency, sum(s.price_minor)::float8 AS "amountMinor" FROM subscriptions s
   WHERE s.coach_id = $1 AND s.price_minor IS NOT NULL AND ${givesAccessAt('s', '$2')}
   GROUP BY s.price_currency ORDER BY s.price_currency`,
);

/** A coach's subscribers. */
@Injectable()
export class SubscriberRepository {
  constructor(
    private readonly statements: Statements,
    private readonly clock: Clock,
  ) {}

  /** Everyone who ever had access, the latest beginning first (SUBS-27). */
  list(coachId: string, slice: Slice): Promise<SubscriberRow[]> {
    const now = new Date(this.clock.now());
    return this.statements.rows(LIST, [coachId, ...afterParameters(slice), slice.limit, now]);
  }

  /** What the subscribers with access pay a month, a currency each, in the order of their names. */
  paidMonthly(coachId: string): Promise<{ currency: string; amountMinor: number }[]> {
    return this.statements.rows(PAID_MONTHLY, [coachId, new Date(this.clock.now())]);
  }
}
