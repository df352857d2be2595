import type {
  AuthorPage,
  LikeCommentRequest,
  LikePostRequest,
  LikeResult,
  ListPostLikesRequest,
  UnlikeCommentRequest,
  UnlikePostRequest,
} from '@pulso/contracts/posts/v1/posts';
import { rpcContracts } from '@pulso/contracts/rpc';
import { RpcController } from '@pulso/platform/rpc/rpc-controller';
import { LikeComment } from './like-comment.js';
import { LikePost } from './like-post.js';
import { ListPostLikes } from './list-post-likes.js';
import { UnlikeComment } from './unlike-comment.js';
import { UnlikePost } from './unlike-post.js';

@RpcController(rpcContracts.posts)
export class LikeGrpc {
  constructor(
    private readonly likePostUseCase: LikePost,
    private readonly unlikePostUseCase: UnlikePost,
    private readonly likeCommentUseCase: LikeComment,
    private readonly unlikeCommentUseCase: UnlikeComment,
    private readonly listPostLikesUseCase: ListPostLikes,
  ) {}

  likePost(request: LikePostRequest): Promise<LikeResult> {
    return this.likePostUseCase.execute(request);
  }

  unlikePost(request: UnlikePostRequest): Promise<LikeResult> {
    return this.unlikePostUseCase.execute(request);
  }

  likeComment(request: LikeCommentRequest): Promise<LikeResult> {
    return this.likeCommentUseCase.execute(request);
  }

  unlikeComment(request: UnlikeCommentRequest): Promise<LikeResult> {
    return this.unlikeCommentUseCase.execute(request);
  }

  listPostLikes(request: ListPostLikesRequest): Promise<AuthorPage> {
    return this.listPostLikesUseCase.execute(request);
  }
}
