import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';
import { Endpoint } from '../openapi/endpoint.decorator.js';
import { ComposeExport } from './compose-export.js';
import { exportSchema } from './export.dto.js';

@ApiTags('Authentication and account')
@Controller('api/me/export')
export class ExportController {
  constructor(private readonly composeExport: ComposeExport) {}

  /** ACCT-35. */
  @Get()
  @Endpoint({
    kind: 'stream',
    summary: 'Everything that is held of the caller, from every service, as one JSON document',
    description:
      'While a service does not answer there is none, `unavailable`. If one fails after the document has begun, the connection is aborted. A whole document ends with `"complete":true`. One at a time for an account.',
    access: 'private',
    limit: 'exports-account',
    status: 200,
    answer: exportSchema,
  })
  get(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<Readable> {
    return this.composeExport.execute(request, reply);
  }
}
