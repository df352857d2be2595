import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiExcludeController, type OpenAPIObject } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { etagOf, hasTag } from '../http/bodies/conditional.js';
import { DOCS_PAGE, DOCS_SCRIPT } from './docs-page.js';
import { Endpoint, type EndpointOptions } from './endpoint.decorator.js';

const same = {
  access: 'public',
  shared: true,
  conditional: true,
  status: 200,
} as const satisfies Partial<EndpointOptions>;

@ApiExcludeController()
@Controller('api')
export class OpenApiController {
  private make: (() => OpenAPIObject) | undefined;
  private made: string | undefined;

  /** To be called once all controllers exist: the document describes them. Made when it is first asked for: that takes a tenth of a start. */
  publish(make: () => OpenAPIObject): void {
    this.make = make;
  }

  @Get('openapi.json')
  @Endpoint({ ...same, summary: 'This document' })
  document(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): string | undefined {
    return unchanged(this.json(), 'application/json; charset=utf-8', request, reply);
  }

  @Get('docs')
  @Endpoint({ ...same, summary: 'The document to read and to try' })
  page(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): string | undefined {
    return unchanged(DOCS_PAGE, 'text/html; charset=utf-8', request, reply);
  }

  @Get('docs/swagger-initializer.js')
  @Endpoint({ ...same, summary: 'The script that starts Swagger UI' })
  script(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): string | undefined {
    return unchanged(DOCS_SCRIPT, 'text/javascript; charset=utf-8', request, reply);
  }

  private json(): string {
    if (!this.make) throw new Error('publish() has not been called');
    return (this.made ??= JSON.stringify(this.make()));
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
