import { Injectable } from '@nestjs/common';
import type { ExportedSection } from '@pulso/platform/export/export-page';
import type { UserExport } from '@pulso/platform/export/user-export';
import { exportedDocuments } from '@pulso/platform/mongo/exported-documents';
import { CommentCollection, type CommentDocument } from './comment.schema.js';
import { type ImportRow, ImportRows } from './import.schema.js';
import { LikeCollection, type LikeDocument } from './like.schema.js';
import { PostCollection, type PostDocument } from './post.schema.js';

/** What posts holds of a user (ACCT-35), without what the user has deleted. */
@Injectable()
export class ExportedRows implements UserExport {
  readonly sections: readonly ExportedSection[];

  constructor(
    posts: PostCollection,
    comments: CommentCollection,
    likes: LikeCollection,
    imports: ImportRows,
  ) {
    this.sections = [
      exportedDocuments<PostDocument>({
        name: 'posts',
        rows: posts,
        of: (authorId) => ({ authorId, live: true }),
        show: toPost,
      }),
      exportedDocuments<CommentDocument>({
        name: 'comments',
        rows: comments,
        of: (authorId) => ({ authorId, live: true }),
        show: toComment,
      }),
      exportedDocuments<LikeDocument>({
        name: 'likes',
        rows: likes,
        of: (userId) => ({ userId, active: true }),
        show: toLike,
      }),
      importOf(imports),
    ];
  }
}

/** One row, under the user's id. */
const importOf = (imports: ImportRows): ExportedSection => ({
  name: 'imports',
  async list(userId, after) {
    const row = after === undefined ? await imports.findOne({ _id: userId }) : null;
    return row ? [{ key: row._id, json: JSON.stringify(toImport(row)) }] : [];
  },
});

const toImport = ({ sourceUserId, begunAt, posts, comments, textBytes }: ImportRow) => ({
  ...{ sourceUserId, begunAt, posts, comments, textBytes },
});

const toPost = ({ _id, content, visibility, images = [], videoId, videoLink, ...post }: PostDocument) => ({
  ...{ id: _id, content, visibility, images, videoId, videoLink },
  mentionedIds: post.mentionedIds ?? [],
  ...{ likeCount: post.likeCount, commentCount: post.commentCount },
  ...{ createdAt: post.createdAt, editedAt: post.editedAt, importedAt: post.importedAt },
  ...{ hiddenAt: post.hiddenAt, hiddenReason: post.hiddenReason },
});

const toComment = ({ _id, postId, content, likeCount, createdAt, ...comment }: CommentDocument) => ({
  ...{ id: _id, postId, content, likeCount, createdAt },
  importedAt: comment.importedAt,
  mentionedIds: comment.mentionedIds ?? [],
  ...{ hiddenAt: comment.hiddenAt, hiddenReason: comment.hiddenReason },
});

const toLike = ({ targetId, onComment, postId, createdAt }: LikeDocument) => ({
  ...{ targetId, postId, createdAt },
  target: onComment ? 'comment' : 'post',
});
