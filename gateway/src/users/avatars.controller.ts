import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { notFound } from '@pulso/platform/errors/domain-error';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { etagOf, hasTag } from '../http/bodies/conditional.js';
import { Endpoint } from '../openapi/endpoint.decorator.js';
import { avatarSvg, isAvatarLetter } from '../user-ref/avatar.js';

@ApiTags('People')
@Controller('api/avatars')
export class AvatarsController {
  @Get(':letter.svg')
  @Endpoint({
    summary: 'The initials image, 96 px',
    access: 'public',
    shared: true,
    conditional: true,
    status: 200,
    mediaType: 'image/svg+xml',
    errors: ['not-found'],
  })
  get(
    @Param('letter') letter: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): string | undefined {
    if (!isAvatarLetter(letter)) throw notFound();
    const svg = avatarSvg(letter);
    const etag = etagOf(svg);
    reply.header('etag', etag).header('cache-control', 'public, max-age=86400');
    if (hasTag(request.headers['if-none-match'], etag)) {
      reply.code(304);
      return undefined;
    }
    reply.header('content-type', 'image/svg+xml; charset=utf-8');
    return svg;
  }
}
