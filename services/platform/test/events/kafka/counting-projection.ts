import type { PostState } from '@pulso/contracts/posts/v1/events';
import type { Pool } from 'pg';
import type { Consumer } from '../../../src/events/event-bus.js';
import { postTopic } from '@pulso/contracts/topics/posts';

/** Stores in the table `projection` how often each post was handled; `after` runs when the effect is committed. */
export function countingProjection(
  pool: Pool,
  after: (id: string) => Promise<void> = () => Promise.resolve(),
): Consumer<PostState> {
  return {
    group: 'projection',
    topic: postTopic,
    async handle({ id }) {
      await pool.query(
        'INSERT INTO projection VALUES ($1, 1) ON CONFLICT (id) DO UPDATE SET handled = projection.handled + 1',
        [id],
      );
      await after(id);
    },
  };
}
