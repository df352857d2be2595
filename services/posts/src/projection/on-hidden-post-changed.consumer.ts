import type { HiddenPostState } from '@pulso/contracts/social/v1/events';
import type { Consumer } from '@pulso/platform/events/event-bus';
import { hiddenPostTopic } from '@pulso/contracts/topics/social';
import type { HiddenPosts } from './hidden-posts.js';

/** pulso.social.hidden-post.v1 → hiddenPosts: to everyone but its author the post disappears, or is back. */
export function onHiddenPostChanged(hiddenPosts: HiddenPosts): Consumer<HiddenPostState> {
  return {
    group: 'posts.hidden-posts',
    topic: hiddenPostTopic,
    handle: (state, event) => hiddenPosts.apply(state, event),
  };
}
