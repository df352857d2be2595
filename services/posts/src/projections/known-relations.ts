import { Injectable } from '@nestjs/common';
import type { SubscriptionState } from '@pulso/contracts/billing/v1/events';
import type { BlockState, FollowState } from '@pulso/contracts/social/v1/events';
import { subscriptionTopic } from '@pulso/contracts/topics/billing';
import { blockTopic, followTopic } from '@pulso/contracts/topics/social';
import type { Topic } from '@pulso/contracts/topics/topic';
import type { EventRecord } from '@pulso/platform/events/event-bus';
import { isId } from '@pulso/platform/ids/uuid-v7';
import type { PlainCollection } from '@pulso/platform/mongo/collection';
import type { ProjectedRow } from '@pulso/platform/mongo/projected-row';
import { ProjectedRows } from '@pulso/platform/mongo/projected-rows';
import { Rebuilds } from '@pulso/platform/mongo/rebuilds';
import { BlockRows, type BlockRow } from './block.schema.js';
import { FollowRows, type FollowRow } from './follow.schema.js';
import { SubscriptionRows, type SubscriptionRow } from './subscription.schema.js';
import { ViewerGraphs } from './viewer-graphs.js';
import { Viewers } from '../store/viewers.js';

/** Projected rows about two users. A change invalidates the cached graphs of its `viewersOf`. */
abstract class KnownRelations<State, Row extends ProjectedRow> extends ProjectedRows<State, Row> {
  abstract override readonly topic: Topic<State, readonly [string, string]>;

  constructor(
    rows: PlainCollection<Row>,
    rebuilds: Rebuilds,
    private readonly viewers: Viewers,
    private readonly graphs: ViewerGraphs,
  ) {
    super(rows, rebuilds);
  }

  /** The users whose feed or access depends on the relation. */
  protected abstract viewersOf(state: State): readonly string[];

  /** Throws for malformed user ids. */
  override async apply(state: State, event: EventRecord): Promise<void> {
    for (const id of this.topic.partsOf(event.key)) {
      if (!isId(id)) throw new Error(`${this.topic.name}: not a user id: ${id}`);
    }
    await super.apply(state, event);
  }

  /**
   * The stored version of a row. Drops the cached graphs of its viewers, because their counters may not have grown
   * yet.
   */
  override async versionOf(key: string): Promise<number | undefined> {
    const version = await super.versionOf(key);
    for (const viewerId of this.topic.partsOf(key)) this.graphs.forget(viewerId);
    return version;
  }

  protected override async written(state: State): Promise<void> {
    for (const viewerId of this.viewersOf(state)) await this.viewers.graphChanged(viewerId);
  }

  protected rebuilt(): void {
    this.graphs.forgetAll();
  }
}

/** Follows; a change affects the follower's feed. */
@Injectable()
export class KnownFollows extends KnownRelations<FollowState, FollowRow> {
  readonly topic = followTopic;

  constructor(rows: FollowRows, rebuilds: Rebuilds, viewers: Viewers, graphs: ViewerGraphs) {
    super(rows, rebuilds, viewers, graphs);
  }

  protected fieldsOf({ followerId, targetId, active }: FollowState) {
    return { followerId, targetId, active };
  }

  protected viewersOf({ followerId }: FollowState) {
    return [followerId];
  }
}

/** Blocks; each user is hidden from the other (PEOPLE-23), also while social is down (PEOPLE-27). */
@Injectable()
export class KnownBlocks extends KnownRelations<BlockState, BlockRow> {
  readonly topic = blockTopic;

  constructor(rows: BlockRows, rebuilds: Rebuilds, viewers: Viewers, graphs: ViewerGraphs) {
    super(rows, rebuilds, viewers, graphs);
  }

  protected fieldsOf({ blockerId, blockedId, active }: BlockState) {
    return { blockerId, blockedId, active };
  }

  protected viewersOf({ blockerId, blockedId }: BlockState) {
    return [blockerId, blockedId];
  }
}

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
