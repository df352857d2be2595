import type {
  CountNewerPostsRequest,
  CountNewerPostsResponse,
  GetFeedRequest,
  PostPage,
} from '@pulso/contracts/posts/v1/posts';
import { rpcContracts } from '@pulso/contracts/rpc';
import { RpcController } from '@pulso/platform/rpc/rpc-controller';
import { CountNewerPosts } from './count-newer-posts.js';
import { GetFeed } from './get-feed.js';

@RpcController(rpcContracts.posts)
export class FeedGrpc {
  constructor(
    private readonly getFeedUseCase: GetFeed,
    private readonly countNewerPostsUseCase: CountNewerPosts,
  ) {}

  getFeed(request: GetFeedRequest): Promise<PostPage> {
    return this.getFeedUseCase.execute(request);
  }

  countNewerPosts(request: CountNewerPostsRequest): Promise<CountNewerPostsResponse> {
    return this.countNewerPostsUseCase.execute(request);
  }
}
