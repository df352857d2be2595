import { Body, Controller, Delete, Get, Param, Post, Put, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { PostsClient } from '../clients.js';
import { idempotencyOf } from '../http/idempotency-key.js';
import { listQuery } from '../http/bodies/list-query.js';
import { pathId } from '../http/bodies/path-id.js';
import { Endpoint } from '../openapi/endpoint.decorator.js';
import { type LikeState, likeStateSchema } from '../posts/post.dto.js';
import {
  type Comment,
  type CommentPage,
  commentPageSchema,
  commentSchema,
  NewCommentBody,
} from './comment.dto.js';
import { toComment, toCommentPage } from './to-comment.js';

@ApiTags('Posts')
@Controller('api')
export class CommentsController {
  constructor(private readonly posts: PostsClient) {}

  @Get('posts/:id/comments')
  @Endpoint({
    summary: 'Comments of a post, oldest first',
    access: 'public',
    paged: true,
    status: 200,
    answer: commentPageSchema,
    compiled: true,
    errors: ['not-found', 'subscription-required'],
  })
  async list(@Param('id') id: string, @Req() request: FastifyRequest): Promise<CommentPage> {
    const page = listQuery(request.query);
    return toCommentPage(await this.posts.listComments({ postId: pathId(id, 'Post not found'), ...page }));
  }

  @Post('posts/:id/comments')
  @Endpoint({
    summary: 'Comment on a post',
    access: 'private',
    limit: 'comments-account',
    creates: true,
    status: 201,
    answer: commentSchema,
    errors: ['not-found', 'subscription-required'],
  })
  async add(
    @Param('id') id: string,
    @Body() body: NewCommentBody,
    @Req() request: FastifyRequest,
  ): Promise<Comment> {
    const idempotency = idempotencyOf(request, body);
    return toComment(await this.posts.addComment({ postId: id, content: body.content, idempotency }));
  }

  @Delete('comments/:id')
  @Endpoint({
    summary: 'Delete a comment, as its author or the post’s',
    access: 'private',
    limit: 'comment-deletions-account',
    bodyless: true,
    status: 204,
    errors: ['not-found', 'permission-denied'],
  })
  async delete(@Param('id') id: string): Promise<void> {
    await this.posts.deleteComment({ id: pathId(id) });
  }

  @Put('comments/:id/like')
  @Endpoint({
    summary: 'Like a comment',
    access: 'private',
    limit: 'likes-account',
    bodyless: true,
    status: 200,
    answer: likeStateSchema,
    errors: ['not-found', 'subscription-required'],
  })
  like(@Param('id') id: string): Promise<LikeState> {
    return this.posts.likeComment({ commentId: pathId(id) });
  }

  @Delete('comments/:id/like')
  @Endpoint({
    summary: 'Take the like of a comment back',
    access: 'private',
    limit: 'unlikes-account',
    bodyless: true,
    status: 200,
    answer: likeStateSchema,
    errors: ['not-found'],
  })
  unlike(@Param('id') id: string): Promise<LikeState> {
    return this.posts.unlikeComment({ commentId: pathId(id) });
  }
}
