import { Controller, Get, Header, Req } from '@nestjs/common';
import { ApiQuery, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { PostsClient } from '../clients.js';
import { CURSOR_SCHEMA, cursorQuery, listQuery } from '../http/bodies/list-query.js';
import { Endpoint } from '../openapi/endpoint.decorator.js';
import { PostJson } from '../posts/post-json.js';
import { type NewerPosts, newerPostsSchema, postPageSchema } from '../posts/post.dto.js';

@ApiTags('Posts')
@Controller('api/feed')
export class FeedController {
  private readonly json = new PostJson();

  constructor(private readonly posts: PostsClient) {}

  @Get()
  @Header('content-type', 'application/json; charset=utf-8')
  @Endpoint({
    summary: 'The caller’s feed, ranked',
    description: 'The ranking’s clock is frozen in the cursor: newer posts belong to the next visit.',
    access: 'private',
    paged: true,
    status: 200,
    answer: postPageSchema,
  })
  async get(@Req() request: FastifyRequest): Promise<Buffer> {
    return this.json.page(await this.posts.getFeed(listQuery(request.query)));
  }

  @Get('newer')
  @ApiQuery({
    name: 'cursor',
    schema: { type: 'string', ...CURSOR_SCHEMA },
    description: 'Of any page of the feed',
  })
  @Endpoint({
    summary: 'How many posts are newer than a page of the feed',
    description: 'Counted up to 20. Newer than the clock that is frozen in the cursor.',
    access: 'private',
    status: 200,
    answer: newerPostsSchema,
    errors: ['validation-failed', 'invalid-cursor'],
  })
  async countNewer(@Req() request: FastifyRequest): Promise<NewerPosts> {
    return this.posts.countNewerPosts({ cursor: cursorQuery(request.query) });
  }
}
