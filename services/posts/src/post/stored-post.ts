import { type Author, Post, type PostImage, type PostVideo } from '@pulso/contracts/posts/v1/posts';
import { type AnswerCodec, storedAnswer, type StoredFields } from '@pulso/platform/idempotency/answer-codec';
import type { PostDraft } from '../store/post.schema.js';

const STORED_POST: StoredFields<Post> = {
  id: 'kept',
  author: 'left-out',
  content: 'left-out',
  truncated: 'kept',
  // Their addresses would also expire.
  images: 'left-out',
  video: 'left-out',
  imageCount: 'kept',
  hasVideo: 'kept',
  visibility: 'kept',
  likeCount: 'kept',
  likedByViewer: 'kept',
  commentCount: 'kept',
  createdAt: 'kept',
  updatedAt: 'kept',
  editedAt: 'kept',
  importedAt: 'kept',
  locked: 'kept',
  permissions: { edit: 'kept', delete: 'kept', like: 'kept', comment: 'kept' },
};

/** A new post as stored under its Idempotency-Key (POST-12). Each repetition of the request contains `draft` and the media again. */
export function storedPost(
  { content }: PostDraft,
  author: () => Promise<Author>,
  media: () => { images: PostImage[]; video: PostVideo | undefined },
): AnswerCodec<Post> {
  return storedAnswer(Post, STORED_POST, async (stored) => ({
    ...stored,
    author: await author(),
    content,
    ...media(),
  }));
}
