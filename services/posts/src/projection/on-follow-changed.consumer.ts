import type { FollowState } from '@pulso/contracts/social/v1/events';
import type { Consumer } from '@pulso/platform/events/event-bus';
import { followTopic } from '@pulso/contracts/topics/social';
import type { GraphRows } from './graph-rows.js';

/** pulso.social.follow.v1 → follows: the follower's feed changes. */
export function onFollowChanged(rows: GraphRows): Consumer<FollowState> {
  return {
    group: 'posts.follows',
    topic: followTopic,
    handle: ({ followerId, targetId, active }, event) =>
      rows.write('follows', event, { followerId, targetId, active }, [followerId]),
  };
}
