import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { etagOf, hasTag } from '../http/conditional.js';
import { OpenApiAnswers } from './openapi-answers.js';
import { Endpoint } from './endpoint.decorator.js';

@ApiExcludeController()
@Controller('api')
export class OpenApiController {
  constructor(private readonly answers: OpenApiAnswers) {}

  @Get('openapi.json')
  @Endpoint({ summary: 'This document', access: 'public', shared: true, conditional: true, status: 200 })
  document(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): string | undefined {
    return unchanged(this.answers.json, 'application/json; charset=utf-8', request, reply);
  }

  @Get('docs')
  @Endpoint({ summary: 'The same to read', access: 'public', shared: true, conditional: true, status: 200 })
  page(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): string | undefined {
    return unchanged(this.answers.page, 'text/html; charset=utf-8', request, reply);
  }
}

function unchanged(
  content: string,
  type: string,
  request: FastifyRequest,
  reply: FastifyReply,
): string | undefined {
  const etag = etagOf(content);
  reply.header('etag', etag).header('cache-control', 'public, no-cache');
  if (hasTag(request.headers['if-none-match'], etag)) {
    reply.code(304);
    return undefined;
  }
  reply.header('content-type', type);
  return content;
}
