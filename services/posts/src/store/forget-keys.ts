import { IDEMPOTENCY_MS } from '@pulso/platform/idempotency/idempotency-key';
import type { Clock } from '@pulso/platform/time/clock';
import { FORGET_KEY } from './idempotency.js';
import type { PostsStore } from './posts-store.js';

const BATCH = 500;

/** Clears idempotency keys older than 24 h; until it comes by, such a one counts as cleared already. */
export async function forgetKeys(store: PostsStore, clock: Clock): Promise<void> {
  const expired = { idempotencyAt: { $lte: new Date(clock.now() - IDEMPOTENCY_MS) } };
  for (const { collection } of [store.posts, store.comments]) {
    for (;;) {
      const found = await collection
        .find(expired, { projection: { _id: 1 } })
        .limit(BATCH)
        .toArray();
      if (found.length === 0) break;
      await collection.updateMany({ _id: { $in: found.map(({ _id }) => _id) }, ...expired }, FORGET_KEY);
    }
  }
}
