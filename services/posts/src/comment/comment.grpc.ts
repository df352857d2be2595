import type {
  AddCommentRequest,
  Comment,
  CommentPage,
  DeleteCommentRequest,
  DeleteCommentResponse,
  ListCommentsRequest,
} from '@pulso/contracts/posts/v1/posts';
import { rpcContracts } from '@pulso/contracts/rpc';
import { RpcController } from '@pulso/platform/rpc/rpc-controller';
import { AddComment } from './add-comment.js';
import { DeleteComment } from './delete-comment.js';
import { ListComments } from './list-comments.js';

@RpcController(rpcContracts.posts)
export class CommentGrpc {
  constructor(
    private readonly addCommentUseCase: AddComment,
    private readonly listCommentsUseCase: ListComments,
    private readonly deleteCommentUseCase: DeleteComment,
  ) {}

  addComment(request: AddCommentRequest): Promise<Comment> {
    return this.addCommentUseCase.execute(request);
  }

  listComments(request: ListCommentsRequest): Promise<CommentPage> {
    return this.listCommentsUseCase.execute(request);
  }

  async deleteComment(request: DeleteCommentRequest): Promise<DeleteCommentResponse> {
    await this.deleteCommentUseCase.execute(request);
    return {};
  }
}
