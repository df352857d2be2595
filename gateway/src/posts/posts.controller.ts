import { Body, Controller, Delete, Get, Param, Patch, Post as HttpPost, Put, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PostsClient } from '../clients.js';
import { mediaNotAttachable } from '../errors/http-problem.js';
import { conditional } from '../http/conditional.js';
import { BODY_BYTES } from '../http/endpoint.js';
import { idempotencyOf } from '../http/idempotency-key.js';
import { pathId } from '../http/path-id.js';
import { Endpoint } from '../openapi/endpoint.decorator.js';
import {
  EditPostBody,
  type LikeState,
  likeStateSchema,
  NewPostBody,
  type Post,
  postSchema,
} from './post.dto.js';
import { fromVisibility, toPost } from './to-post.js';

const NOT_FOUND = 'Post not found';

@ApiTags('Posts')
@Controller('api/posts')
export class PostsController {
  constructor(private readonly posts: PostsClient) {}

  @HttpPost()
  @Endpoint({
    summary: 'Publish a post',
    access: 'private',
    limit: { account: 'posts-account' },
    creates: true,
    status: 201,
    bodyBytes: BODY_BYTES.post,
    answer: postSchema,
    errors: ['permission-denied', 'media-not-attachable'],
  })
  async publish(@Body() body: NewPostBody, @Req() request: FastifyRequest): Promise<Post> {
    const idempotency = idempotencyOf(request, body);
    if (body.images.length > 0 || body.video) throw mediaNotAttachable();
    const visibility = fromVisibility(body.visibility);
    return toPost(await this.posts.publishPost({ content: body.content, visibility, idempotency }));
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
    status: 200,
    bodyBytes: BODY_BYTES.post,
    answer: postSchema,
    errors: ['not-found', 'permission-denied', 'media-not-attachable'],
  })
  async edit(@Param('id') id: string, @Body() body: EditPostBody): Promise<Post> {
    const postId = pathId(id, NOT_FOUND);
    if (body.images && body.images.length > 0) throw mediaNotAttachable();
    const visibility = body.visibility && fromVisibility(body.visibility);
    return toPost(await this.posts.editPost({ id: postId, content: body.content, visibility }));
  }

  @Delete(':id')
  @Endpoint({
    summary: 'Delete a post of one’s own',
    access: 'private',
    bodyless: true,
    status: 204,
    errors: ['not-found', 'permission-denied'],
  })
  async delete(@Param('id') id: string): Promise<void> {
    await this.posts.deletePost({ id: pathId(id, NOT_FOUND) });
  }

  @Put(':id/like')
  @Endpoint({
    summary: 'Like a post',
    access: 'private',
    limit: { account: 'likes-account' },
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
    bodyless: true,
    status: 200,
    answer: likeStateSchema,
    errors: ['not-found'],
  })
  unlike(@Param('id') id: string): Promise<LikeState> {
    return this.posts.unlikePost({ postId: pathId(id, NOT_FOUND) });
  }
}
