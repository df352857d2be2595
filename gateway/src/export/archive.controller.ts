import { Controller, Delete, Get, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Archive as ArchiveMessage } from '@pulso/contracts/media/v1/media';
import type { FastifyRequest } from 'fastify';
import { MediaClient } from '../clients.js';
import { MediaBytesClient } from '../media/media-bytes-client.js';
import { Endpoint } from '../openapi/endpoint.decorator.js';
import { type Archive, archiveSchema } from './archive.dto.js';
import { ComposeExport } from './compose-export.js';
import { toArchive } from './to-archive.js';

/** The archive of everything that is held of the caller, with their files (ACCT-45, HTTP-45). */
@ApiTags('Authentication and account')
@Controller('api/me/archive')
export class ArchiveController {
  constructor(
    private readonly media: MediaClient,
    private readonly bytes: MediaBytesClient,
    private readonly composeExport: ComposeExport,
  ) {}

  @Get()
  @Endpoint({
    summary: 'What has become of the caller’s archive',
    access: 'private',
    status: 200,
    answer: archiveSchema,
  })
  async get(): Promise<Archive> {
    return toArchive(await this.media.getArchive({}));
  }

  @Post()
  @Endpoint({
    kind: 'stream',
    summary: 'Have an archive built of everything that is held of the caller, with their files',
    description:
      'It takes the place of the one before. While a service does not answer there is none, `unavailable`. One at a time for an account, together with the export. The answer comes when all records are collected; the files are added behind it.',
    access: 'private',
    limit: 'archives-account',
    bodyless: 'ignored',
    status: 202,
    answer: archiveSchema,
  })
  request(@Req() request: FastifyRequest): Promise<Archive> {
    const { authorization } = request.headers;
    return this.composeExport.hand(request, async (document, signal) => {
      const headers = { authorization, 'content-type': 'application/json' };
      const asked = { method: 'POST', path: '/archives', headers, body: document, signal } as const;
      const { body } = await this.bytes.ask(asked);
      return toArchive(ArchiveMessage.decode(new Uint8Array(await body.arrayBuffer())));
    });
  }

  @Delete()
  @Endpoint({
    summary: 'Delete the caller’s archive, if there is one, also while its records are collected',
    access: 'private',
    limit: 'archive-deletions-account',
    bodyless: true,
    status: 204,
  })
  async delete(): Promise<void> {
    await this.media.deleteArchive({});
  }
}
