import { Injectable } from '@nestjs/common';
import { VIDEO } from '@pulso/contracts/limits';
import { requireCaller } from '@pulso/platform/context/request-context';
import { newIdAt } from '@pulso/platform/ids/uuid-v7';
import { Clock } from '@pulso/platform/time/clock';
import { unsupportedVideo, videoTooLarge } from '../store/asset-errors.js';
import { UploadRepository } from '../store/upload.repository.js';
import { shownName } from './shown-name.js';

/** What a client says of the video that it is about to send. */
export interface DeclaredVideo {
  /** In bytes. */
  length: number;
  name: string;
  /** Its media type, with or without parameters. */
  type: string;
  metadata?: string;
  key?: string;
}

/** Keeps room for a video of the caller, whichever way its bytes come (MEDIA-8, MEDIA-9, MEDIA-14). */
@Injectable()
export class BeginVideo {
  constructor(
    private readonly uploads: UploadRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * The id of the upload. Throws `unsupported-media` for what says that it is no video, and for nothing, `file-too-large`,
   * `quota-exceeded`, `too-many-requests` and `idempotency-key-reused`.
   */
  execute({ length, name, type: declared, metadata = '', key }: DeclaredVideo): Promise<string> {
    const { userId: ownerId } = requireCaller();
    const type = declared.split(';')[0]!.trim().toLowerCase();
    if (length === 0 || !VIDEO.types.some((known) => known === type)) throw unsupportedVideo();
    if (length > VIDEO.maxBytes) throw videoTooLarge();
    const shown = shownName(name, VIDEO.nameMax);
    const id = newIdAt(this.clock.now());
    return this.uploads.begin({ id, ownerId, length, name: shown, type, metadata, key });
  }
}
