import { Injectable } from '@nestjs/common';
import type { SubscriptionState } from '@pulso/contracts/billing/v1/events';
import { subscriptionTopic } from '@pulso/contracts/topics/billing';
import { ProjectionStore, ProjectionTable } from '@pulso/platform/postgres/projection-table';

/**
 * Who is or was subscribed to whom: their reviews have the badge 'Verified subscriber' (PEOPLE-32). A past subscription
 * stays known, even if an older state arrives later.
 */
@Injectable()
export class KnownSubscriptions extends ProjectionTable<SubscriptionState> {
  constructor(store: ProjectionStore) {
    super(store, {
      topic: subscriptionTopic,
      table: 'known_subscriptions',
      key: ['user_id', 'coach_id'],
      columns: ({ active, everActive = false }) => ({ ever_active: active || everActive }),
      ever: ['ever_active'],
    });
  }
}
