import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiResponse, ApiTags } from '@nestjs/swagger';
import { notFound } from '@pulso/platform/errors/domain-error';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';
import { pathId } from '../http/bodies/path-id.js';
import { Endpoint } from '../openapi/endpoint.decorator.js';
import { DeliverFile } from './deliver-file.js';

const VARIANTS = new Set(['full', 'thumbnail', 'avatar', 'video', 'archive']);

/** The bytes of media, at the addresses that posts and media have signed (MEDIA-19, MEDIA-20). */
@ApiTags('Media')
@Controller('media')
export class MediaFilesController {
  constructor(private readonly deliverFile: DeliverFile) {}

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
    summary: 'The bytes of a picture, `full`, `thumbnail` or `avatar`, of a `video`, or of an `archive`',
    description:
      'The address, with its query, is that of an answer. One that has expired is 403: read the answer again. A video is of the type that its answer tells, an archive a zip.',
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
    if (!VARIANTS.has(variant)) throw notFound();
    // The signature is of the path as it was given.
    const query = request.url.indexOf('?');
    const path = `/media/${pathId(id)}/${variant}${query === -1 ? '' : request.url.slice(query)}`;
    return this.deliverFile.execute(request, reply, path, variant === 'archive' ? 'archive' : 'file');
  }
}
