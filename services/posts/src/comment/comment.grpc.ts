import type {
  AddCommentRequest,
  Comment,
  CommentPage,
  DeleteCommentRequest,
  DeleteCommentResponse,
  ListCommentsRequest,
} from '@pulso/contracts/posts/v1/posts';
import { Controller } from '@nestjs/common';
import { GrpcMethod } from '@nestjs/microservices';
import { AddComment } from './add-comment.js';
import { DeleteComment } from './delete-comment.js';
import { ListComments } from './list-comments.js';

@Controller()
export class CommentGrpc {
  constructor(
    private readonly add: AddComment,
    private readonly list: ListComments,
    private readonly remove: DeleteComment,
  ) {}

  @GrpcMethod('PostsService', 'AddComment')
  addComment(request: AddCommentRequest): Promise<Comment> {
    return this.add.execute(request);
  }

  @GrpcMethod('PostsService', 'ListComments')
  listComments(request: ListCommentsRequest): Promise<CommentPage> {
    return this.list.execute(request);
  }

  @GrpcMethod('PostsService', 'DeleteComment')
  async deleteComment(request: DeleteCommentRequest): Promise<DeleteCommentResponse> {
    await this.remove.execute(request);
    return {};
  }
}
