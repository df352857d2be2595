import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Registry } from 'prom-client';
import { HeldClaim } from '../jobs/held-claim.js';
import { PollingLoop } from '../jobs/polling-loop.js';
import { Logger } from '../logging/logger.js';
import { Clock } from '../time/clock.js';
import { type DueErasure, ErasedUsers } from './erased-users.js';
import { UserEraser } from './user-eraser.js';

/** Marks nudge the job: this is for what a process that died has left, and for second looks. */
const POLL_MS = 30_000;
const BACKOFF = { firstMs: 1_000, longestMs: 30_000 };
/**
 * Until what the service waits for may be over: at first mostly the state of the user, which comes on another topic, later an engine or a
 * foreign system. The longer it lasts, the longer are the pauses.
 */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;
/** Timers may be early. */
const LATER_MS = 50;
/** After a failure, so that others come first. */
const RETRY_MS = 30_000;
/** After a kill another process goes on so much later. */
export const CLAIM_MS = 60_000;
const RENEW_MS = 20_000;
/** Somebody with a million likes takes some minutes. What a given-up pass has erased stays erased. */
const PASS_LIMIT_MS = 15 * 60_000;

/** Erases what the service holds of users whose accounts are erased, one user after the other, and acknowledges it (ACCT-34). */
@Injectable()
export class EraseUsers implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly loop: PollingLoop;

  constructor(
    private readonly users: ErasedUsers,
    private readonly eraser: UserEraser,
    private readonly clock: Clock,
    private readonly logger: Logger,
    registry: Registry,
  ) {
    this.loop = new PollingLoop({
      name: 'erasure of users',
      everyMs: POLL_MS,
      work: (stopping) => this.execute(stopping),
      backoff: BACKOFF,
      logger,
      limitMs: PASS_LIMIT_MS,
      ref: false,
      registry,
    });
    users.onMark(() => this.loop.nudge());
  }

  onApplicationBootstrap(): void {
    this.loop.start();
    this.loop.nudge();
  }

  onModuleDestroy(): Promise<void> {
    return this.loop.stop();
  }

  /** Works off all that is due. */
  async execute(stopping: AbortSignal = new AbortController().signal): Promise<void> {
    while (!stopping.aborted) {
      const erasure = await this.users.claim(CLAIM_MS);
      if (!erasure) return;
      await this.erase(erasure, stopping);
    }
  }

  /** One that fails does not hold up the others. */
  private async erase(claimed: DueErasure, stopping: AbortSignal): Promise<void> {
    const { userId } = claimed;
    // With its last claim: whoever changes it must have that.
    let erasure = claimed;
    const held = new HeldClaim({
      renew: async () => {
        const renewed = await this.users.renew(erasure, CLAIM_MS);
        erasure = renewed ?? erasure;
        return renewed !== undefined;
      },
      everyMs: RENEW_MS,
      logger: this.logger,
      failure: 'the claim of an erasure was not renewed',
      about: { user: userId },
    });
    try {
      const hasEnded = await this.eraser.erase(userId, AbortSignal.any([stopping, held.lost]));
      await held.end();
      if (stopping.aborted) await this.users.postpone(erasure, 0);
      else if (hasEnded) await this.users.erased(erasure);
      else await this.waitFor(erasure);
    } catch (error) {
      await held.end();
      if (held.lost.aborted)
        this.logger.info({ err: error, user: userId }, 'an erasure goes on in another process');
      else this.logger.error({ err: error, user: userId }, 'a user could not be erased, will be retried');
      await this.users.postpone(erasure, RETRY_MS);
    }
  }

  private async waitFor(erasure: DueErasure): Promise<void> {
    // A version is the microsecond in which it was asked for.
    const lastsMs = this.clock.now() - erasure.asked / 1_000;
    const waitMs = Math.min(Math.max(lastsMs / 4, FIRST_WAIT_MS), LONGEST_WAIT_MS);
    await this.users.postpone(erasure, waitMs);
    this.loop.within(waitMs + LATER_MS);
  }
}
