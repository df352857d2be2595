import { Logger } from '@pulso/platform/logging/logger';
import type { ClaimedArchive } from '../store/archive.js';
import type { ArchiveRepository } from '../store/archive.repository.js';

/** Another process has the archive, or nobody wants it any more. */
export class ArchiveLost extends Error {
  override readonly name = 'ArchiveLost';
}

/** The longest pause before an archive is begun again whose process was killed. */
export const LEASE_MS = 60_000;
const NOTED_EVERY_MS = 1_000;

/** Notes once a second how far the work on an archive has come, which keeps its claim; `signal` is aborted once the claim is lost. */
export class ArchiveLease {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private noting: Promise<void> | undefined;
  private done = 0;

  constructor(
    private readonly archives: Pick<ArchiveRepository, 'keep'>,
    private readonly claimed: ClaimedArchive,
    private readonly logger: Logger,
  ) {
    this.timer = setInterval(() => {
      // One that hangs is not followed by others, for which the end would wait.
      this.noting ??= this.note().finally(() => (this.noting = undefined));
    }, NOTED_EVERY_MS);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  wrote(bytes: number): void {
    this.done += bytes;
  }

  /** After that nothing is noted any more. */
  async end(): Promise<void> {
    clearInterval(this.timer);
    await this.noting;
  }

  private async note(): Promise<void> {
    const { claimed, done } = this;
    try {
      const isKept = await this.archives.keep(claimed, { done, total: claimed.totalBytes }, LEASE_MS);
      if (!isKept) this.controller.abort(new ArchiveLost('the archive is not built any more'));
    } catch (error) {
      // As long as the claim holds, a later one may succeed; after that the claim is lost, and the end of the work finds it out.
      this.logger.warn({ err: error, archive: claimed.id }, 'the progress of an archive could not be noted');
    }
  }
}
