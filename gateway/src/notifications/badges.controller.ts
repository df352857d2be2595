import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { conditionalJson } from '../http/bodies/conditional.js';
import { Endpoint } from '../openapi/endpoint.decorator.js';
import { Badges } from './badges.js';
import { badgesSchema } from './notification.dto.js';

@ApiTags('Messages and notifications')
@Controller('api/badges')
export class BadgesController {
  constructor(private readonly badges: Badges) {}

  @Get()
  @Endpoint({
    summary: 'The numbers of the caller’s unread notifications and messages',
    access: 'private',
    conditional: true,
    status: 200,
    answer: badgesSchema,
  })
  get(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): string | undefined | Promise<string | undefined> {
    // Who has just written must see it, whichever gateway took the write (HTTP-2).
    const answer = this.badges.of(request.pulso!.before.length > 0);
    return answer instanceof Promise
      ? answer.then((read) => conditionalJson(request, reply, read))
      : conditionalJson(request, reply, answer);
  }
}
