import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { SubscriptionState } from '@pulso/contracts/billing/v1/events';
import { subscriptionTopic } from '@pulso/contracts/topics/billing';
import type { Projection } from '@pulso/platform/events/projection';

/** Who is or was subscribed to whom, from pulso.billing.subscription.v1. */
@Injectable()
export class KnownSubscriptions implements Projection<SubscriptionState> {
  readonly topic = subscriptionTopic;

  constructor(private readonly dataSource: DataSource) {}

  /** Idempotent, in any order: having been subscribed is never unlearnt, by an older state neither. */
  async apply({ userId, coachId, version, active, everActive = false }: SubscriptionState): Promise<void> {
    await this.dataSource.query(
      `INSERT INTO known_subscriptions AS known (user_id, coach_id, ever_active, version) VALUES ($1, $2, $3, $4)
       ON CONFLICT (user_id, coach_id) DO UPDATE SET ever_active = known.ever_active OR excluded.ever_active,
         version = greatest(known.version, excluded.version)`,
      [userId, coachId, active || everActive, version],
    );
  }

  /** The version held of the subscription with a topic's key. */
  async versionOf(key: string): Promise<number | undefined> {
    const [userId, coachId] = this.topic.partsOf(key);
    const [row] = await this.dataSource.query<{ version: string }[]>(
      'SELECT version FROM known_subscriptions WHERE user_id = $1 AND coach_id = $2',
      [userId, coachId],
    );
    return row && Number(row.version);
  }
}
