import { apiTime } from '../http/bodies/api-time.js';
import { Controller, Delete, Get, Param, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { IdentityClient } from '../clients.js';
import { conditional } from '../http/bodies/conditional.js';
import { pathId } from '../http/bodies/path-id.js';
import { Endpoint } from '../openapi/endpoint.decorator.js';

import { type DeviceSessionPage, deviceSessionPageSchema } from './auth.dto.js';
import { EndedSessions } from './ended-sessions.js';

@ApiTags('Authentication and account')
@Controller('api/auth/sessions')
export class SessionsController {
  constructor(
    private readonly identity: IdentityClient,
    private readonly ended: EndedSessions,
  ) {}

  @Get()
  @Endpoint({
    summary: 'Devices signed in: one list, not paged',
    access: 'private',
    conditional: true,
    status: 200,
    answer: deviceSessionPageSchema,
  })
  async list(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | undefined> {
    const { sessions } = await this.identity.listSessions({});
    const page: DeviceSessionPage = {
      items: sessions.map(({ id, device, createdAt, lastUsedAt, current }) => ({
        id,
        userAgent: device?.userAgent ?? '',
        address: device?.address ?? '',
        createdAt: apiTime(createdAt),
        lastUsedAt: apiTime(lastUsedAt),
        current,
      })),
      // Whole, not paged (HTTP-32).
      nextCursor: null,
    };
    return conditional(request, reply, page);
  }

  @Delete()
  @Endpoint({
    summary: 'Sign all other devices out',
    access: 'private',
    limit: 'session-ends-account',
    bodyless: true,
    status: 204,
  })
  async endOthers(): Promise<void> {
    await this.identity.endOtherSessions({});
    await this.ended.refresh();
  }

  @Delete(':id')
  @Endpoint({
    summary: 'Sign one device out',
    access: 'private',
    limit: 'session-ends-account',
    bodyless: true,
    status: 204,
    errors: ['not-found'],
  })
  async end(@Param('id') id: string): Promise<void> {
    await this.identity.endSession({ id: pathId(id) });
    // The gateway reads identity's list, since only identity knows whether the session was the caller's.
    await this.ended.refresh();
  }
}
