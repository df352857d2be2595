import { Injectable } from '@nestjs/common';
import { UrlSigner } from '@pulso/platform/auth/signed-url';
import { notFound } from '@pulso/platform/errors/domain-error';
import { isId } from '@pulso/platform/ids/uuid-v7';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Archive, archiveKeyOf } from '../store/archive.js';
import { ArchiveRepository } from '../store/archive.repository.js';
import { SendFile } from './send-file.js';
import { claimsOf } from './signed-address.js';

/** An archive is larger than other files (LIMIT-20). */
const SENDING_MS = 60 * 60_000;

/**
 * `GET /media/{id}/archive-{session}`: the bytes of an archive, at the address that a session of its owner was given (MEDIA-25). Whether that
 * goes on is the gateway's to know. Throws `permission-denied` for an address that is forged or expired, and `not-found` once the archive is deleted or has expired, and for one whose owner is suspended or deleted.
 */
@Injectable()
export class DeliverArchive {
  constructor(
    private readonly archives: ArchiveRepository,
    private readonly signer: UrlSigner,
    private readonly files: SendFile,
  ) {}

  async execute(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const [, , id = ''] = url.pathname.split('/');
    if (!isId(id)) throw notFound();
    claimsOf(this.signer, url.pathname, url.searchParams);
    const archive = await this.archives.findReady(id);
    if (!archive) throw notFound();
    await this.files.send(request, response, {
      key: archiveKeyOf(archive),
      etag: `"${id}-archive"`,
      headers: {
        'content-type': 'application/zip',
        'content-disposition': `attachment; filename="${nameOf(archive)}"`,
        'cache-control': 'private, no-store',
      },
      ...{ longestMs: SENDING_MS, isKept: false },
    });
  }
}

const nameOf = ({ ownerId, requestedAt }: Archive) =>
  `pulso-${ownerId}-${new Date(requestedAt).toISOString().slice(0, 'yyyy-mm-dd'.length)}.zip`;
