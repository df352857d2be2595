import { Logger } from '@pulso/platform/logging/logger';
import type { ClaimedVideo, VideoRepository } from '../store/video.repository.js';

/** The work on a video ends because another worker has it, or it is deleted. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** The longest pause before a video is taken again whose worker was killed. */
export const LEASE_MS = 60_000;
const RENEW_MS = 15_000;

/** Keeps a claim as long as the work on it lasts; `signal` is aborted once it is lost. */
export class VideoLease {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private renewing: Promise<void> = Promise.resolve();

  constructor(
    private readonly videos: Pick<VideoRepository, 'renew'>,
    private readonly claim: ClaimedVideo,
    private readonly logger: Logger,
  ) {
    this.timer = setInterval(() => {
      this.renewing = this.renewing.then(() => this.renew());
    }, RENEW_MS);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** After that the claim changes no more. */
  async end(): Promise<void> {
    clearInterval(this.timer);
    await this.renewing;
  }

  private async renew(): Promise<void> {
    try {
      if (!(await this.videos.renew(this.claim, LEASE_MS))) this.controller.abort(new LeaseLost());
    } catch (error) {
      // As long as the claim holds, a later one may succeed; after that the claim is lost, and the end of the work finds it out.
      this.logger.warn({ err: error, video: this.claim.id }, 'the claim of a video could not be renewed');
    }
  }
}
