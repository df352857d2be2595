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
    private readonly add: AddComment,
    private readonly list: ListComments,
    private readonly remove: DeleteComment,
  ) {}

  addComment(request: AddCommentRequest): Promise<Comment> {
    return this.add.execute(request);
  }

  listComments(request: ListCommentsRequest): Promise<CommentPage> {
    return this.list.execute(request);
  }

  async deleteComment(request: DeleteCommentRequest): Promise<DeleteCommentResponse> {
    await this.remove.execute(request);
    return {};
  }
}
