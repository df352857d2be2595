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
import { Controller } from '@nestjs/common';
import { GrpcMethod } from '@nestjs/microservices';
import { DeletePost } from './delete-post.js';
import { EditPost } from './edit-post.js';
import { GetPost } from './get-post.js';
import { GetUsersStats } from './get-users-stats.js';
import { ListUserPosts } from './list-user-posts.js';
import { PublishPost } from './publish-post.js';

@Controller()
export class PostGrpc {
  constructor(
    private readonly publish: PublishPost,
    private readonly read: GetPost,
    private readonly edit: EditPost,
    private readonly remove: DeletePost,
    private readonly list: ListUserPosts,
    private readonly stats: GetUsersStats,
  ) {}

  @GrpcMethod('PostsService', 'PublishPost')
  publishPost(request: PublishPostRequest): Promise<Post> {
    return this.publish.execute(request);
  }

  @GrpcMethod('PostsService', 'GetPost')
  getPost(request: GetPostRequest): Promise<Post> {
    return this.read.execute(request);
  }

  @GrpcMethod('PostsService', 'EditPost')
  editPost(request: EditPostRequest): Promise<Post> {
    return this.edit.execute(request);
  }

  @GrpcMethod('PostsService', 'DeletePost')
  async deletePost(request: DeletePostRequest): Promise<DeletePostResponse> {
    await this.remove.execute(request);
    return {};
  }

  @GrpcMethod('PostsService', 'ListUserPosts')
  listUserPosts(request: ListUserPostsRequest): Promise<PostPage> {
    return this.list.execute(request);
  }

  @GrpcMethod('PostsService', 'GetUsersStats')
  async getUsersStats({ userIds }: GetUsersStatsRequest): Promise<GetUsersStatsResponse> {
    return { stats: await this.stats.execute(userIds) };
  }
}
