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
    private readonly publishPostUseCase: PublishPost,
    private readonly getPostUseCase: GetPost,
    private readonly editPostUseCase: EditPost,
    private readonly deletePostUseCase: DeletePost,
    private readonly listUserPostsUseCase: ListUserPosts,
    private readonly getUsersStatsUseCase: GetUsersStats,
  ) {}

  publishPost(request: PublishPostRequest): Promise<Post> {
    return this.publishPostUseCase.execute(request);
  }

  getPost(request: GetPostRequest): Promise<Post> {
    return this.getPostUseCase.execute(request);
  }

  editPost(request: EditPostRequest): Promise<Post> {
    return this.editPostUseCase.execute(request);
  }

  async deletePost(request: DeletePostRequest): Promise<DeletePostResponse> {
    await this.deletePostUseCase.execute(request);
    return {};
  }

  listUserPosts(request: ListUserPostsRequest): Promise<PostPage> {
    return this.listUserPostsUseCase.execute(request);
  }

  getUsersStats({ userIds }: GetUsersStatsRequest): GetUsersStatsResponse {
    return { stats: this.getUsersStatsUseCase.execute(userIds) };
  }
}
