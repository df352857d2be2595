import { Injectable } from '@nestjs/common';
import { DomainError, unavailable } from '@pulso/platform/errors/domain-error';
import { Logger } from '@pulso/platform/logging/logger';
import type { Picture } from '../picture/picture-messages.js';
import { PictureProcesses } from '../picture/picture-processes.js';
import { CostlyPictures } from './costly-pictures.js';
import { PictureSlots } from './picture-slots.js';
import type { UploadForm } from './read-form.js';
import { UploadLimits } from './upload-limits.js';

/** Decodes the picture of an upload once a slot of its owner is free, and counts it if it was costly (LIMIT-10). */
@Injectable()
export class RenderUpload {
  constructor(
    private readonly slots: PictureSlots,
    private readonly pictures: PictureProcesses,
    private readonly costly: CostlyPictures,
    private readonly limits: UploadLimits,
    private readonly logger: Logger,
  ) {}

  /** Before anything is read of it. Throws `too-many-requests`. */
  admit(ownerId: string): void {
    this.costly.requireFew(ownerId);
  }

  /** Throws `unsupported-media` and `unavailable`, and the signal's reason while it waits. */
  async execute(
    ownerId: string,
    { file, purpose }: Pick<UploadForm, 'file' | 'purpose'>,
    signal: AbortSignal,
  ): Promise<Picture> {
    const release = await this.slots.take(ownerId, signal);
    try {
      const { picture, cpuMs } = await this.pictures.render(file, purpose);
      if (cpuMs > this.limits.costlyMs) this.costly.note(ownerId);
      return picture;
    } catch (error) {
      if (error instanceof DomainError) {
        this.costly.note(ownerId);
        throw error;
      }
      this.logger.error({ err: error }, 'a picture could not be processed');
      throw unavailable();
    } finally {
      release();
    }
  }
}
