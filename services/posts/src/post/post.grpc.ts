import type {
  DeletePostRequest,
  DeletePostResponse,
  EditPostRequest,
  GetPostRequest,
  GetUsersStatsRequest,
  GetUsersStatsResponse,
  ListUserPostsRequest,
  Post,
  PostPage,
  PublishPostRequest,
} from '@pulso/contracts/posts/v1/posts';
import { rpcContracts } from '@pulso/contracts/rpc';
import { RpcController } from '@pulso/platform/rpc/rpc-controller';
import { DeletePost } from './delete-post.js';
import { EditPost } from './edit-post.js';
import { GetPost } from './get-post.js';
import { GetUsersStats } from './get-users-stats.js';
import { ListUserPosts } from './list-user-posts.js';
import { PublishPost } from './publish-post.js';

@RpcController(rpcContracts.posts)
export class PostGrpc {
  constructor(
    private readonly publish: PublishPost,
    private readonly read: GetPost,
    private readonly edit: EditPost,
    private readonly remove: DeletePost,
    private readonly list: ListUserPosts,
    private readonly stats: GetUsersStats,
  ) {}

  publishPost(request: PublishPostRequest): Promise<Post> {
    return this.publish.execute(request);
  }

  getPost(request: GetPostRequest): Promise<Post> {
    return this.read.execute(request);
  }

  editPost(request: EditPostRequest): Promise<Post> {
    return this.edit.execute(request);
  }

  async deletePost(request: DeletePostRequest): Promise<DeletePostResponse> {
    await this.remove.execute(request);
    return {};
  }

  listUserPosts(request: ListUserPostsRequest): Promise<PostPage> {
    return this.list.execute(request);
  }

  async getUsersStats({ userIds }: GetUsersStatsRequest): Promise<GetUsersStatsResponse> {
    return { stats: await this.stats.execute(userIds) };
  }
}
