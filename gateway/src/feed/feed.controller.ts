import { Controller, Get, Inject, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { POSTS, type PostsClient } from '../clients.js';
import { pageQuery } from '../http/page-query.js';
import { Endpoint } from '../openapi/endpoint.decorator.js';
import { type PostPage, postPageSchema } from '../posts/post.shapes.js';
import { toPostPage } from '../posts/to-post.js';

@ApiTags('Posts')
@Controller('api/feed')
export class FeedController {
  constructor(@Inject(POSTS) private readonly posts: PostsClient) {}

  @Get()
  @Endpoint({
    summary: 'The caller’s feed, ranked',
    description: 'The ranking’s clock is frozen in the cursor: newer posts belong to the next visit.',
    access: 'private',
    paged: true,
    status: 200,
    answer: 'PostPage',
    serializer: postPageSchema,
  })
  async get(@Req() request: FastifyRequest): Promise<PostPage> {
    return toPostPage(await this.posts.getFeed(pageQuery(request.query)));
  }
}
