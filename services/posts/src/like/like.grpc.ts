import type {
  LikeCommentRequest,
  LikePostRequest,
  LikeResult,
  UnlikeCommentRequest,
  UnlikePostRequest,
} from '@pulso/contracts/posts/v1/posts';
import { Controller } from '@nestjs/common';
import { GrpcMethod } from '@nestjs/microservices';
import { LikeComment } from './like-comment.js';
import { LikePost } from './like-post.js';
import { UnlikeComment } from './unlike-comment.js';
import { UnlikePost } from './unlike-post.js';

@Controller()
export class LikeGrpc {
  constructor(
    private readonly likeAPost: LikePost,
    private readonly unlikeAPost: UnlikePost,
    private readonly likeAComment: LikeComment,
    private readonly unlikeAComment: UnlikeComment,
  ) {}

  @GrpcMethod('PostsService', 'LikePost')
  likePost(request: LikePostRequest): Promise<LikeResult> {
    return this.likeAPost.execute(request);
  }

  @GrpcMethod('PostsService', 'UnlikePost')
  unlikePost(request: UnlikePostRequest): Promise<LikeResult> {
    return this.unlikeAPost.execute(request);
  }

  @GrpcMethod('PostsService', 'LikeComment')
  likeComment(request: LikeCommentRequest): Promise<LikeResult> {
    return this.likeAComment.execute(request);
  }

  @GrpcMethod('PostsService', 'UnlikeComment')
  unlikeComment(request: UnlikeCommentRequest): Promise<LikeResult> {
    return this.unlikeAComment.execute(request);
  }
}
