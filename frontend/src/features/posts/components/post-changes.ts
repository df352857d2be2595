import type { Post } from '../../../api/types.js';
import { written } from '../../../text/written.js';
import type { PostChange } from '../api/update-post.js';
import { imagesOf } from '../drafts.js';
import type { DraftImage, PostDraft } from '../drafts.js';

/** The post as the edit dialog begins with it. */
export const draftOfPost = ({ content, visibility, images }: Post): PostDraft => ({
  content,
  visibility,
  images: images.map(({ id, alt, caption, metadata }) => ({ id, alt, caption, ...metadata.dimensions })),
});

const sameImages = (one: readonly DraftImage[], other: readonly DraftImage[]) =>
  JSON.stringify(imagesOf(one)) === JSON.stringify(imagesOf(other));

export const differs = (one: PostDraft, other: PostDraft): boolean =>
  one.content !== other.content ||
  one.visibility !== other.visibility ||
  !sameImages(one.images, other.images);

/** The fields that are to be saved: those that were changed (POST-5). */
export function changesOf(edit: PostDraft, post: PostDraft): PostChange {
  const content = written(edit.content);
  return {
    ...(content === post.content ? {} : { content }),
    ...(edit.visibility === post.visibility ? {} : { visibility: edit.visibility }),
    ...(sameImages(edit.images, post.images) ? {} : { images: imagesOf(edit.images) }),
  };
}
