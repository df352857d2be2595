import { Injectable } from '@nestjs/common';
import { DomainError, unavailable } from '@pulso/platform/errors/domain-error';
import { Logger } from '@pulso/platform/logging/logger';
import type { Picture } from '../picture/picture-messages.js';
import { PictureProcesses } from '../picture/picture-processes.js';
import { DearPictures } from './dear-pictures.js';
import { PictureTurns } from './picture-slots.js';
import type { UploadForm } from './read-form.js';
import { UploadLimits } from './upload-limits.js';

/** Has the picture of an upload worked on when it is its owner's turn, and notes what it has cost (LIMIT-10). */
@Injectable()
export class RenderUpload {
  constructor(
    private readonly turns: PictureTurns,
    private readonly pictures: PictureProcesses,
    private readonly dear: DearPictures,
    private readonly limits: UploadLimits,
    private readonly logger: Logger,
  ) {}

  /** Before anything is read of it. Throws `too-many-requests`. */
  admit(ownerId: string): void {
    this.dear.requireFew(ownerId);
  }

  /** Throws `unsupported-media` and `unavailable`, and the signal's reason while it waits. */
  async execute(
    ownerId: string,
    { file, purpose }: Pick<UploadForm, 'file' | 'purpose'>,
    signal: AbortSignal,
  ): Promise<Picture> {
    const release = await this.turns.take(ownerId, signal);
    try {
      const { picture, cpuMs } = await this.pictures.render(file, purpose);
      if (cpuMs > this.limits.dearMs) this.dear.note(ownerId);
      return picture;
    } catch (error) {
      if (error instanceof DomainError) {
        this.dear.note(ownerId);
        throw error;
      }
      this.logger.error({ err: error }, 'a picture could not be processed');
      throw unavailable();
    } finally {
      release();
    }
  }
}
