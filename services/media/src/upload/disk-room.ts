import { statfs } from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import { DomainError } from '@pulso/platform/errors/domain-error';
import { Logger } from '@pulso/platform/logging/logger';
import { Clock } from '@pulso/platform/time/clock';
import { MediaSettings } from '../settings.js';
import { UploadLimits } from './upload-limits.js';

/** Between two lines of the log, and until a client should try again. */
const PAUSE_MS = 60_000;

/** What is refused for it can succeed later. */
export class NoRoom extends DomainError {
  constructor() {
    super('unavailable', 'There is no room for files right now. Please try again later.', {
      retryAfter: PAUSE_MS / 1000,
    });
  }
}

/** Keeps uploads from filling the disk that their files share with databases (MEDIA-14). A bucket has limits of its own. */
@Injectable()
export class DiskRoom {
  private quietUntil = 0;

  constructor(
    private readonly settings: MediaSettings,
    private readonly limits: UploadLimits,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** Throws NoRoom while less than the reserve is free beside so many `bytes`, or the disk is away. */
  async require(bytes = 0): Promise<void> {
    const { MEDIA_OBJECTS_DIR: directory } = this.settings;
    if (directory === undefined) return;
    try {
      const { bavail, bsize } = await statfs(directory);
      if (bavail * bsize >= this.limits.diskReserveBytes + bytes) return;
      this.log({ freeBytes: bavail * bsize }, 'the disk of the files is full: uploads are refused');
    } catch (error) {
      this.log({ err: error }, 'the disk of the files is away: uploads are refused');
    }
    throw new NoRoom();
  }

  /** Once a minute: anybody may upload at any time. */
  private log(about: object, message: string): void {
    const now = this.clock.now();
    if (now < this.quietUntil) return;
    this.quietUntil = now + PAUSE_MS;
    this.logger.error({ ...about, directory: this.settings.MEDIA_OBJECTS_DIR }, message);
  }
}
