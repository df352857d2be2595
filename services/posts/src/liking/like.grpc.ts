import type {
  LikeCommentRequest,
  LikePostRequest,
  LikeResult,
  UnlikeCommentRequest,
  UnlikePostRequest,
} from '@pulso/contracts/posts/v1/posts';
import { rpcContracts } from '@pulso/contracts/rpc';
import { RpcController } from '@pulso/platform/rpc/rpc-controller';
import { LikeComment } from './like-comment.js';
import { LikePost } from './like-post.js';
import { UnlikeComment } from './unlike-comment.js';
import { UnlikePost } from './unlike-post.js';

@RpcController(rpcContracts.posts)
export class LikeGrpc {
  constructor(
    private readonly likeAPost: LikePost,
    private readonly unlikeAPost: UnlikePost,
    private readonly likeAComment: LikeComment,
    private readonly unlikeAComment: UnlikeComment,
  ) {}

  likePost(request: LikePostRequest): Promise<LikeResult> {
    return this.likeAPost.execute(request);
  }

  unlikePost(request: UnlikePostRequest): Promise<LikeResult> {
    return this.unlikeAPost.execute(request);
  }

  likeComment(request: LikeCommentRequest): Promise<LikeResult> {
    return this.likeAComment.execute(request);
  }

  unlikeComment(request: UnlikeCommentRequest): Promise<LikeResult> {
    return this.unlikeAComment.execute(request);
  }
}
