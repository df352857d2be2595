import { Controller, Delete, Get, Param, Put, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SocialClient } from '../clients.js';
import { conditional } from '../http/bodies/conditional.js';
import { listQuery } from '../http/bodies/list-query.js';
import { pathId } from '../http/bodies/path-id.js';
import { Endpoint } from '../openapi/endpoint.decorator.js';
import { toUserRefPage } from '../user-ref/to-user-ref.js';
import { userRefPageSchema } from '../user-ref/user-ref.dto.js';

@ApiTags('People')
@Controller('api')
export class BlocksController {
  constructor(private readonly social: SocialClient) {}

  @Put('users/:id/block')
  @Endpoint({
    summary: 'Block a user',
    description: 'Ends follows both ways and hides each from the other.',
    access: 'private',
    limit: 'blocks-account',
    bodyless: true,
    status: 204,
    errors: ['not-found', 'cannot-block-self'],
  })
  async block(@Param('id') id: string): Promise<void> {
    await this.social.blockUser({ userId: pathId(id) });
  }

  @Delete('users/:id/block')
  @Endpoint({
    summary: 'Block a user no longer',
    access: 'private',
    limit: 'blocks-account',
    bodyless: true,
    status: 204,
    errors: ['not-found', 'cannot-block-self'],
  })
  async unblock(@Param('id') id: string): Promise<void> {
    await this.social.unblockUser({ userId: pathId(id) });
  }

  @Get('me/blocks')
  @Endpoint({
    summary: 'Whom the caller has blocked, latest first',
    access: 'private',
    paged: true,
    conditional: true,
    status: 200,
    answer: userRefPageSchema,
    compiled: true,
  })
  async list(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | undefined> {
    const blocked = await this.social.listBlocks(listQuery(request.query));
    return conditional(request, reply, toUserRefPage(blocked));
  }
}
