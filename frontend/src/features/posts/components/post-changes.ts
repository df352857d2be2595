import type { Post } from '../../../api/types.js';
import { sentOf } from '../post-fields.js';
import type { PostChange, PostDraft } from '../post-fields.js';

/** A post as the edit dialog begins with it. */
export const draftOfPost = ({ content, visibility, images, video }: Post): PostDraft => ({
  content,
  visibility,
  images: images.map(({ id, alt, caption, metadata }) => ({ id, alt, caption, ...metadata.dimensions })),
  video:
    video &&
    (video.type === 'url' ? { type: 'url', url: video.originalUrl } : { type: 'upload', id: video.id }),
});

export const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** The fields that are to be saved: those that were changed (POST-5). */
export function changesOf(edit: PostDraft, post: PostDraft): PostChange {
  const before = sentOf(post);
  const changed = Object.entries(sentOf(edit)).filter(
    ([field, value]) => !isSame(value, before[field as keyof PostChange]),
  );
  return Object.fromEntries(changed);
}

/** Whether something was typed or chosen, also white space in the content, which is not sent. */
export const differs = (one: PostDraft, other: PostDraft): boolean =>
  one.content !== other.content || !isSame(sentOf(one), sentOf(other));
