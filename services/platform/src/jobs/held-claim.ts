import type { Logger } from '../logging/logger.js';

/** Work ends because its claim is lost: another process has what was claimed, or nobody wants it any more. */
export class ClaimLost extends Error {
  override readonly name = 'ClaimLost';
}

export interface HeldClaimOptions {
  /** Keeps the claim for some more time. Resolves to false where it is lost. */
  renew: () => Promise<boolean>;
  /** Milliseconds between two renewals: several fit into the time of a claim. */
  everyMs: number;
  logger: Logger;
  /** The line of the log for a renewal that fails. */
  failure: string;
  /** What was claimed, for that line. */
  about: object;
}

/** Renews a claim for as long as the work on it lasts. The timer does not keep the process alive. */
export class HeldClaim {
  private readonly loss = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private renewing: Promise<void> | undefined;

  constructor(private readonly options: HeldClaimOptions) {
    this.timer = setInterval(() => {
      // One that hangs is not followed by others, for which the end would wait.
      this.renewing ??= this.renew().finally(() => (this.renewing = undefined));
    }, options.everyMs).unref();
  }

  /** Aborts with `ClaimLost`: what the work does after that is of no use. */
  get lost(): AbortSignal {
    return this.loss.signal;
  }

  /** Renews no more, and waits for a renewal under way: after that the claim changes no more. May be repeated. */
  async end(): Promise<void> {
    clearInterval(this.timer);
    await this.renewing;
  }

  private async renew(): Promise<void> {
    const { renew, logger, failure, about } = this.options;
    try {
      if (!(await renew())) this.loss.abort(new ClaimLost('the claim is lost'));
    } catch (error) {
      // As long as the claim lasts, a later one may succeed; after that it is lost, and the end of the work finds that out.
      logger.warn({ err: error, ...about }, failure);
    }
  }
}
