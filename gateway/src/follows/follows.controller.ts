import { Controller, Delete, Get, Param, Put, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SocialClient } from '../clients.js';
import { conditional } from '../http/bodies/conditional.js';
import { listQuery } from '../http/bodies/list-query.js';
import { pathId } from '../http/bodies/path-id.js';
import { Endpoint } from '../openapi/endpoint.decorator.js';
import { ComposeProfile } from '../profiles/compose-profile.js';
import { toUserRefPage } from '../user-ref/to-user-ref.js';
import { personPageSchema } from '../user-ref/user-ref.dto.js';
import { type FollowResult, followResultSchema } from './follow.dto.js';

@ApiTags('People')
@Controller('api/users/:id')
export class FollowsController {
  constructor(
    private readonly social: SocialClient,
    private readonly profiles: ComposeProfile,
  ) {}

  @Put('follow')
  @Endpoint({
    summary: 'Follow a user',
    access: 'private',
    limit: 'follows-account',
    bodyless: true,
    status: 200,
    answer: followResultSchema,
    compiled: true,
    errors: ['not-found', 'blocked', 'cannot-follow-self'],
  })
  follow(@Param('id') id: string): Promise<FollowResult> {
    return this.social.followUser({ userId: pathId(id) });
  }

  @Delete('follow')
  @Endpoint({
    summary: 'Follow a user no longer',
    access: 'private',
    limit: 'unfollows-account',
    bodyless: true,
    status: 200,
    answer: followResultSchema,
    compiled: true,
    errors: ['not-found', 'blocked', 'cannot-follow-self'],
  })
  unfollow(@Param('id') id: string): Promise<FollowResult> {
    return this.social.unfollowUser({ userId: pathId(id) });
  }

  @Get('followers')
  @Endpoint({
    summary: 'Who follows a user, latest first',
    access: 'public',
    paged: true,
    conditional: true,
    status: 200,
    answer: personPageSchema,
    compiled: true,
    errors: ['not-found'],
  })
  async listFollowers(
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | undefined> {
    const page = listQuery(request.query);
    const users = await this.social.listFollowers({ userId: pathId(id), ...page });
    return conditional(request, reply, await this.profiles.people(toUserRefPage(users)));
  }

  @Get('following')
  @Endpoint({
    summary: 'Whom a user follows, latest first',
    access: 'public',
    paged: true,
    conditional: true,
    status: 200,
    answer: personPageSchema,
    compiled: true,
    errors: ['not-found'],
  })
  async listFollowing(
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | undefined> {
    const page = listQuery(request.query);
    const users = await this.social.listFollowing({ userId: pathId(id), ...page });
    return conditional(request, reply, await this.profiles.people(toUserRefPage(users)));
  }
}
