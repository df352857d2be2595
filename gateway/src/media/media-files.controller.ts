import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiResponse, ApiTags } from '@nestjs/swagger';
import { notFound } from '@pulso/platform/errors/domain-error';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';
import { pathId } from '../http/bodies/path-id.js';
import { Endpoint } from '../openapi/endpoint.decorator.js';
import { ArchiveAddress, isArchive } from './archive-address.js';
import { DeliverFile } from './deliver-file.js';

const VARIANTS = new Set(['full', 'thumbnail', 'avatar', 'video']);

/** The bytes of media, at the addresses that posts and media have signed (MEDIA-19, MEDIA-20). */
@ApiTags('Media')
@Controller('media')
export class MediaFilesController {
  constructor(
    private readonly deliverFile: DeliverFile,
    private readonly archiveAddress: ArchiveAddress,
  ) {}

  @Get(':id/:variant')
  @ApiHeader({ name: 'Range', required: false, schema: { type: 'string' } })
  @ApiResponse({
    status: 206,
    description: 'The part that `Range` names',
    content: {
      'image/jpeg': { schema: { type: 'string' } },
      'video/mp4': { schema: { type: 'string' } },
      'application/zip': { schema: { type: 'string' } },
    },
  })
  @Endpoint({
    kind: 'stream',
    summary:
      'The bytes of a picture, `full`, `thumbnail` or `avatar`, of a `video`, or of an `archive-{session}`',
    description:
      'The address, with its query, is that of an answer. One that has expired is 403: read the answer again. That of an archive expires with the session that asked for it, too. A video is of the type that its answer tells, an archive a zip.',
    access: 'public',
    shared: true,
    addressLimit: 'media-address',
    conditional: true,
    status: 200,
    mediaType: 'image/jpeg',
    errors: ['permission-denied', 'not-found', 'range-not-satisfiable'],
  })
  get(
    @Param('id') id: string,
    @Param('variant') variant: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Readable | Buffer | undefined> {
    const kind = isArchive(variant) ? 'archive' : 'file';
    if (kind === 'file' && !VARIANTS.has(variant)) throw notFound();
    // The signature is of the path as it was given.
    const query = request.url.indexOf('?');
    const given = query === -1 ? '' : request.url.slice(query);
    const path = `/media/${pathId(id)}/${variant}${given}`;
    if (kind === 'archive')
      this.archiveAddress.requireLive(variant, Number(new URLSearchParams(given).get('x')));
    return this.deliverFile.execute(request, reply, path, kind);
  }
}
