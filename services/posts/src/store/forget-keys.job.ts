import { IDEMPOTENCY_MS } from '@pulso/platform/idempotency/idempotency-key';
import type { Logger } from '@pulso/platform/logging/logger';
import type { Clock } from '@pulso/platform/time/clock';
import { FORGET_KEY } from './idempotency.js';
import type { PostsStore } from './posts-store.js';

const EVERY_MS = 10 * 60_000;
const BATCH = 500;

/** Clears idempotency keys after 24 h; until it comes by, an older one counts as cleared already. */
export class ForgetKeys {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;

  constructor(
    private readonly store: PostsStore,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  start(): void {
    this.timer = setInterval(() => this.wake(), EVERY_MS);
    this.wake();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  async run(): Promise<void> {
    const expired = { idempotencyAt: { $lte: new Date(this.clock.now() - IDEMPOTENCY_MS) } };
    for (const { collection } of [this.store.posts, this.store.comments]) {
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

  private wake(): void {
    this.running ??= this.run()
      .catch((error: unknown) => {
        this.logger.warn({ err: error }, 'clearing old idempotency keys failed, will be retried');
      })
      .finally(() => {
        this.running = undefined;
      });
  }
}
