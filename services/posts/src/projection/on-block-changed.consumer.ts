import type { BlockState } from '@pulso/contracts/social/v1/events';
import type { Consumer } from '@pulso/platform/events/event-bus';
import { blockTopic } from '@pulso/contracts/topics/social';
import type { GraphRows } from './graph-rows.js';

/** pulso.social.block.v1 → blocks: each disappears for the other (decisions 19). */
export function onBlockChanged(rows: GraphRows): Consumer<BlockState> {
  return {
    group: 'posts.blocks',
    topic: blockTopic,
    handle: ({ blockerId, blockedId, active }, event) =>
      rows.write('blocks', event, { blockerId, blockedId, active }, [blockerId, blockedId]),
  };
}
