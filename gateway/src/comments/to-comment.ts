import { apiTime } from '../http/bodies/api-time.js';
import { apiCursor } from '../http/bodies/list-query.js';
import type {
  Comment as CommentMessage,
  CommentPage as CommentPageMessage,
} from '@pulso/contracts/posts/v1/posts';
import { required, toUserRef } from '../user-ref/to-user-ref.js';
import type { Comment, CommentPage } from './comment.dto.js';

export function toComment(comment: CommentMessage): Comment {
  const { id, postId, author, content, likeCount, likedByViewer, createdAt, updatedAt, importedAt } = comment;
  return {
    id,
    postId,
    author: toUserRef(required(author, 'author')),
    content,
    likeCount,
    likedByViewer,
    createdAt: apiTime(createdAt),
    updatedAt: apiTime(updatedAt),
    ...(importedAt !== undefined && { importedAt: apiTime(importedAt) }),
  };
}

export function toCommentPage({ items, nextCursor }: CommentPageMessage): CommentPage {
  return { items: items.map(toComment), nextCursor: apiCursor(nextCursor) };
}
