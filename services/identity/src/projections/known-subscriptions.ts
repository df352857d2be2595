import { Injectable } from '@nestjs/common';
import type { SubscriptionState } from '@pulso/contracts/billing/v1/events';
import { subscriptionTopic } from '@pulso/contracts/topics/billing';
import { ProjectionStore, ProjectionTable } from '@pulso/platform/postgres/projection-table';
import { Clock } from '@pulso/platform/time/clock';

export interface SubscriberEmailRow {
  userId: string;
  email: string;
}

/** Identity's projection of subscriptions: it alone decides who gets subscribers' addresses (SUBS-27). */
@Injectable()
export class KnownSubscriptions extends ProjectionTable<SubscriptionState> {
  constructor(
    store: ProjectionStore,
    private readonly clock: Clock,
  ) {
    super(store, {
      topic: subscriptionTopic,
      table: 'known_subscriptions',
      key: ['user_id', 'coach_id'],
      columns: ({ active, accessUntil }) => ({
        active,
        access_until: accessUntil === undefined ? null : new Date(accessUntil),
      }),
    });
  }

  /**
   * The addresses of those of the users who have access as the coach's subscribers now, suspended ones, too (SUBS-12);
   * nobody's if the coach is none any more.
   */
  emailsOfSubscribers(coachId: string, userIds: readonly string[]): Promise<SubscriberEmailRow[]> {
    return this.dataSource.query<SubscriberEmailRow[]>(
      `SELECT subscriber.id AS "userId", subscriber.email
       FROM known_subscriptions AS subscription
       JOIN users AS subscriber ON subscriber.id = subscription.user_id AND subscriber.status <> 'deleted'
       JOIN users AS coach ON coach.id = subscription.coach_id AND coach.is_coach AND coach.status = 'active'
       WHERE coach_id = $1 AND user_id = ANY ($2::uuid[]) AND active
         AND (access_until IS NULL OR access_until > $3)`,
      [coachId, userIds, new Date(this.clock.now())],
    );
  }
}
