import { Injectable } from '@nestjs/common';
import type { FollowState } from '@pulso/contracts/social/v1/events';
import { followTopic } from '@pulso/contracts/topics/social';
import { Rebuilds } from '@pulso/platform/mongo/rebuilds';
import { Viewers } from '../store/viewers.js';
import { FollowRows, type FollowRow } from './follow.schema.js';
import { KnownRelations } from './known-relations.js';
import { ViewerGraphs } from './viewer-graphs.js';

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
