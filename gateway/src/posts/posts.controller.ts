import { Body, Controller, Delete, Get, Param, Patch, Post as HttpPost, Put, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PostsClient } from '../clients.js';
import { conditional } from '../http/bodies/conditional.js';
import { BODY_BYTES } from '../http/endpoint.js';
import { idempotencyOf } from '../http/idempotency-key.js';
import { listQuery } from '../http/bodies/list-query.js';
import { pathId } from '../http/bodies/path-id.js';
import { Endpoint } from '../openapi/endpoint.decorator.js';
import { ComposeProfile } from '../profiles/compose-profile.js';
import { toUserRefPage } from '../user-ref/to-user-ref.js';
import { personPageSchema } from '../user-ref/user-ref.dto.js';
import {
  EditPostBody,
  type LikeState,
  likeStateSchema,
  NewPostBody,
  type Post,
  postSchema,
} from './post.dto.js';
import { ClaimMedia } from '../media/claim-media.js';
import { toEditRequest, toPost, toPublishRequest } from './to-post.js';

const NOT_FOUND = 'Post not found';

@ApiTags('Posts')
@Controller('api/posts')
export class PostsController {
  constructor(
    private readonly posts: PostsClient,
    private readonly claims: ClaimMedia,
    private readonly profiles: ComposeProfile,
  ) {}

  @HttpPost()
  @Endpoint({
    summary: 'Publish a post',
    access: 'private',
    limit: 'posts-account',
    creates: true,
    status: 201,
    bodyBytes: BODY_BYTES.post,
    answer: postSchema,
    errors: ['permission-denied', 'media-not-attachable'],
  })
  async publish(@Body() body: NewPostBody, @Req() request: FastifyRequest): Promise<Post> {
    const idempotency = idempotencyOf(request, body);
    const post = await this.claims.forNewPost(body, idempotency?.key, (ticket) =>
      this.posts.publishPost({ ...toPublishRequest(body), ticket, idempotency }),
    );
    return toPost(post);
  }

  @Get(':id')
  @Endpoint({
    summary: 'A post as the viewer may see it',
    access: 'public',
    conditional: true,
    status: 200,
    answer: postSchema,
    errors: ['not-found'],
  })
  async get(
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | undefined> {
    return conditional(request, reply, toPost(await this.posts.getPost({ id: pathId(id, NOT_FOUND) })));
  }

  @Patch(':id')
  @Endpoint({
    summary: 'Edit a post of one’s own',
    access: 'private',
    limit: 'post-edits-account',
    status: 200,
    bodyBytes: BODY_BYTES.post,
    answer: postSchema,
    errors: ['not-found', 'permission-denied', 'media-not-attachable'],
  })
  async edit(@Param('id') id: string, @Body() body: EditPostBody): Promise<Post> {
    const post = await this.claims.forPost(body.images, id, (ticket) =>
      this.posts.editPost({ ...toEditRequest(body), id, ticket }),
    );
    return toPost(post);
  }

  @Delete(':id')
  @Endpoint({
    summary: 'Delete a post of one’s own',
    access: 'private',
    limit: 'post-deletions-account',
    bodyless: true,
    status: 204,
    errors: ['not-found', 'permission-denied'],
  })
  async delete(@Param('id') id: string): Promise<void> {
    await this.posts.deletePost({ id: pathId(id, NOT_FOUND) });
  }

  @Get(':id/likes')
  @Endpoint({
    summary: 'Who likes a post, newest first',
    description: 'A page may hold fewer than `limit` and still have a next one.',
    access: 'public',
    paged: true,
    conditional: true,
    status: 200,
    answer: personPageSchema,
    compiled: true,
    errors: ['not-found', 'subscription-required'],
  })
  async listLikes(
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | undefined> {
    const page = listQuery(request.query);
    const users = await this.posts.listPostLikes({ postId: pathId(id, NOT_FOUND), ...page });
    return conditional(request, reply, await this.profiles.people(toUserRefPage(users)));
  }

  @Put(':id/like')
  @Endpoint({
    summary: 'Like a post',
    access: 'private',
    limit: 'likes-account',
    bodyless: true,
    status: 200,
    answer: likeStateSchema,
    errors: ['not-found', 'subscription-required'],
  })
  like(@Param('id') id: string): Promise<LikeState> {
    return this.posts.likePost({ postId: pathId(id, NOT_FOUND) });
  }

  @Delete(':id/like')
  @Endpoint({
    summary: 'Take the like of a post back',
    access: 'private',
    limit: 'unlikes-account',
    bodyless: true,
    status: 200,
    answer: likeStateSchema,
    errors: ['not-found'],
  })
  unlike(@Param('id') id: string): Promise<LikeState> {
    return this.posts.unlikePost({ postId: pathId(id, NOT_FOUND) });
  }
}
