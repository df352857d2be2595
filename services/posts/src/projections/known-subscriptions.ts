import { Injectable } from '@nestjs/common';
import type { SubscriptionState } from '@pulso/contracts/billing/v1/events';
import { subscriptionTopic } from '@pulso/contracts/topics/billing';
import { Rebuilds } from '@pulso/platform/mongo/rebuilds';
import { Viewers } from '../store/viewers.js';
import { KnownRelations } from './known-relations.js';
import { SubscriptionRows, type SubscriptionRow } from './subscription.schema.js';
import { ViewerGraphs } from './viewer-graphs.js';

/** Who has access to a coach's posts, and until when. */
@Injectable()
export class KnownSubscriptions extends KnownRelations<SubscriptionState, SubscriptionRow> {
  readonly topic = subscriptionTopic;

  constructor(rows: SubscriptionRows, rebuilds: Rebuilds, viewers: Viewers, graphs: ViewerGraphs) {
    super(rows, rebuilds, viewers, graphs);
  }

  protected fieldsOf({ userId, coachId, active, accessUntil }: SubscriptionState) {
    return { userId, coachId, active, accessUntil: accessUntil === undefined ? null : new Date(accessUntil) };
  }

  protected viewersOf({ userId }: SubscriptionState) {
    return [userId];
  }
}
