import { Injectable } from '@nestjs/common';
import { type Archive as ArchiveMessage, ArchiveStatus } from '@pulso/contracts/media/v1/media';
import { UrlSigner } from '@pulso/platform/auth/signed-url';
import { requireCaller } from '@pulso/platform/context/request-context';
import { Clock } from '@pulso/platform/time/clock';
import { type Archive, ARCHIVE_ADDRESS_MS, archivePathOf } from '../store/archive.js';

const NONE: ArchiveMessage = { status: ArchiveStatus.ARCHIVE_STATUS_UNSPECIFIED, url: '' };

/** An archive as its owner, who is the caller, sees it. */
@Injectable()
export class ArchiveView {
  constructor(
    private readonly signer: UrlSigner,
    private readonly clock: Clock,
  ) {}

  of(archive: Archive | undefined): ArchiveMessage {
    if (!archive) return NONE;
    const { id, requestedAt, documentBytes, doneBytes, totalBytes, readyAt, dueAt } = archive;
    switch (archive.state) {
      // Its sizes are not known yet.
      case 'receiving':
        return { status: ArchiveStatus.ARCHIVE_STATUS_BUILDING, requestedAt, url: '' };
      case 'building':
        return {
          ...{ status: ArchiveStatus.ARCHIVE_STATUS_BUILDING, requestedAt, url: '' },
          ...{ doneBytes, totalBytes },
        };
      case 'ready': {
        const lifeMs = Math.min(ARCHIVE_ADDRESS_MS, dueAt - this.clock.now());
        const path = archivePathOf(id, requireCaller().sessionId);
        return {
          ...{ status: ArchiveStatus.ARCHIVE_STATUS_READY, requestedAt, doneBytes, totalBytes },
          ...{ readyAt: readyAt!, expiresAt: dueAt, documentBytes },
          url: this.signer.sign(path, { epoch: 0, lifeMs }),
        };
      }
      case 'failed':
        return { status: ArchiveStatus.ARCHIVE_STATUS_FAILED, requestedAt, url: '' };
      case 'removing':
        return NONE;
    }
  }
}
