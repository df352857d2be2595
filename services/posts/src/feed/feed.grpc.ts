import type { GetFeedRequest, PostPage } from '@pulso/contracts/posts/v1/posts';
import { Controller } from '@nestjs/common';
import { GrpcMethod } from '@nestjs/microservices';
import { GetFeed } from './get-feed.js';

@Controller()
export class FeedGrpc {
  constructor(private readonly feed: GetFeed) {}

  @GrpcMethod('PostsService', 'GetFeed')
  getFeed(request: GetFeedRequest): Promise<PostPage> {
    return this.feed.execute(request);
  }
}
