import type { GetFeedRequest, PostPage } from '@pulso/contracts/posts/v1/posts';
import { rpcContracts } from '@pulso/contracts/rpc';
import { RpcController } from '@pulso/platform/rpc/rpc-controller';
import { GetFeed } from './get-feed.js';

@RpcController(rpcContracts.posts)
export class FeedGrpc {
  constructor(private readonly getFeedUseCase: GetFeed) {}

  getFeed(request: GetFeedRequest): Promise<PostPage> {
    return this.getFeedUseCase.execute(request);
  }
}
