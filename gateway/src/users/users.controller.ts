import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { notFound } from '@pulso/platform/errors/domain-error';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { IdentityClient, PostsClient } from '../clients.js';
import { conditional } from '../http/bodies/conditional.js';
import { normalizeUsername } from '../validation/fields.js';
import { listQuery } from '../http/bodies/list-query.js';
import { pathId } from '../http/bodies/path-id.js';
import { Endpoint } from '../openapi/endpoint.decorator.js';
import { type PostPage, postPageSchema } from '../posts/post.dto.js';
import { toPostPage } from '../posts/to-post.js';
import { ComposeProfile, toProfile } from '../profiles/compose-profile.js';
import { profileSchema } from '../profiles/profile.dto.js';

@ApiTags('People')
@Controller('api/users')
export class UsersController {
  constructor(
    private readonly identity: IdentityClient,
    private readonly posts: PostsClient,
    private readonly profiles: ComposeProfile,
  ) {}

  @Get('by-username/:username')
  @Endpoint({
    summary: 'A profile by username, also by one given up within 90 days',
    access: 'public',
    conditional: true,
    status: 200,
    answer: profileSchema,
    errors: ['not-found'],
  })
  async byUsername(
    @Param('username') given: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | undefined> {
    const username = normalizeUsername(given);
    if (username === undefined) throw notFound();
    const user = await this.identity.getUserByUsername({ username });
    return conditional(request, reply, toProfile(user, await this.profiles.numbers(user.id)));
  }

  @Get(':id')
  @Endpoint({
    summary: 'A profile',
    access: 'public',
    conditional: true,
    status: 200,
    answer: profileSchema,
    errors: ['not-found'],
  })
  async byId(
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | undefined> {
    const known = pathId(id);
    const [user, numbers] = await Promise.all([
      this.identity.getUser({ id: known }),
      this.profiles.numbers(known),
    ]);
    return conditional(request, reply, toProfile(user, numbers));
  }

  @Get(':id/posts')
  @Endpoint({
    summary: 'A user’s posts, newest first',
    access: 'public',
    paged: true,
    status: 200,
    answer: postPageSchema,
    compiled: true,
    errors: ['not-found'],
  })
  async listPosts(@Param('id') id: string, @Req() request: FastifyRequest): Promise<PostPage> {
    const page = listQuery(request.query);
    return toPostPage(await this.posts.listUserPosts({ userId: pathId(id), ...page }));
  }
}
