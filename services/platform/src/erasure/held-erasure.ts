import type { Logger } from '../logging/logger.js';
import type { DueErasure, ErasedUsers } from './erased-users.js';

/** After a kill another process goes on so much later. */
export const CLAIM_MS = 60_000;
const RENEW_MS = 20_000;

/** Renews the claim of an erasure for as long as a process works at it. */
export class HeldErasure {
  private readonly loss = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private renewing: Promise<void> | undefined;

  constructor(
    private readonly users: Pick<ErasedUsers, 'renew'>,
    private erasure: DueErasure,
    private readonly logger: Logger,
    renewMs = RENEW_MS,
  ) {
    this.timer = setInterval(() => {
      this.renewing ??= this.renew();
    }, renewMs);
    this.timer.unref();
  }

  /** Aborts when another process has the erasure, or it was asked for again: what this one does then is of no use. */
  get lost(): AbortSignal {
    return this.loss.signal;
  }

  /** Renews no more. Resolves to the erasure with its last claim. */
  async end(): Promise<DueErasure> {
    clearInterval(this.timer);
    await this.renewing;
    return this.erasure;
  }

  private async renew(): Promise<void> {
    try {
      const renewed = await this.users.renew(this.erasure, CLAIM_MS);
      if (renewed) this.erasure = renewed;
      else this.loss.abort();
    } catch (error) {
      // The claim lasts for some more attempts.
      this.logger.warn({ err: error, user: this.erasure.userId }, 'the claim of an erasure was not renewed');
    } finally {
      this.renewing = undefined;
    }
  }
}
