import { type Archive as ArchiveMessage, ArchiveStatus } from '@pulso/contracts/media/v1/media';
import { apiTimeOrNull } from '../http/bodies/api-time.js';
import type { Archive } from './archive.dto.js';

const STATUS: Readonly<Record<ArchiveStatus, Archive['status']>> = {
  [ArchiveStatus.ARCHIVE_STATUS_UNSPECIFIED]: 'none',
  [ArchiveStatus.ARCHIVE_STATUS_BUILDING]: 'building',
  [ArchiveStatus.ARCHIVE_STATUS_READY]: 'ready',
  [ArchiveStatus.ARCHIVE_STATUS_FAILED]: 'failed',
  [ArchiveStatus.UNRECOGNIZED]: 'none',
};

export function toArchive(message: ArchiveMessage): Archive {
  const { status, doneBytes = null, totalBytes = null, documentBytes = null, url } = message;
  const { requestedAt, readyAt, expiresAt } = message;
  return {
    ...{ status: STATUS[status], doneBytes, totalBytes, documentBytes },
    requestedAt: apiTimeOrNull(requestedAt),
    readyAt: apiTimeOrNull(readyAt),
    expiresAt: apiTimeOrNull(expiresAt),
    url: url === '' ? null : url,
  };
}
