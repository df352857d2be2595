import { idempotencyKeys } from '../../api/idempotency.js';
import type { IdempotencyKeys, Sent } from '../../api/idempotency.js';
import type { Visibility } from '../../api/types.js';
import { forgetPlace, keepDraft, keptDraft, useKeptDraft } from '../../session/drafts.js';
import { cleaned, written } from '../../text/written.js';
import { isBlank } from '../../validation/text.js';
import type { ImageChoice, NewPost } from './api/create-post.js';

/** A photo that is uploaded, of a text that is being written; its size in pixels. */
export interface DraftImage {
  id: string;
  alt: string;
  caption: string;
  width: number;
  height: number;
}

export interface PostDraft {
  content: string;
  visibility: Visibility;
  images: DraftImage[];
}

const EMPTY: PostDraft = { content: '', visibility: 'public', images: [] };
/** The place of the new post's draft. */
export const POST = 'post';

export const isEmptyDraft = ({ content, images }: PostDraft): boolean =>
  isBlank(content) && images.length === 0;

/** Photos as they are sent. */
export const imagesOf = (images: readonly DraftImage[]): ImageChoice[] =>
  images.map(({ id, alt, caption }) => ({ id, alt: written(alt), caption: written(caption) }));

export const setDraft = (userId: string, draft: PostDraft): void =>
  keepDraft(userId, POST, draft, { unsent: !isEmptyDraft(draft) });

/** The post is published: what was typed and uploaded since it was sent stays as the next draft. */
export function keepTypedSince(userId: string, { content: sent, images: gone = [] }: NewPost): void {
  const draft = draftOf(userId);
  const typed = cleaned(draft.content).trimStart();
  const rest = {
    ...draft,
    content: typed.startsWith(sent) ? typed.slice(sent.length).trimStart() : typed,
    images: draft.images.filter(({ id }) => !gone.some((image) => image.id === id)),
  };
  if (isEmptyDraft(rest)) keepDraft(userId, POST, undefined);
  else setDraft(userId, rest);
}

const keyAt = (place: string) => `${place}:key`;

/**
 * The idempotency keys of what is sent from `place`. Kept as drafts are: a text that failed and is sent again, also after
 * leaving the page or a reload, must not be stored twice (POST-12).
 */
function keysOf(userId: string, place: string): IdempotencyKeys {
  const at = keyAt(place);
  return idempotencyKeys({
    read: () => keptDraft<Sent>(userId, at),
    write: (sent) => keepDraft(userId, at, sent, { unsent: false }),
  });
}

export const postKeys = (userId: string): IdempotencyKeys => keysOf(userId, POST);

/** With what the version before did not keep. */
const whole = (draft: PostDraft | undefined): PostDraft => ({ ...EMPTY, ...draft });

export const useDraft = (userId: string): PostDraft => whole(useKeptDraft<PostDraft>(userId, POST));

export const draftOf = (userId: string): PostDraft => whole(keptDraft<PostDraft>(userId, POST));

export const hasDraft = (userId: string): boolean => keptDraft(userId, POST) !== undefined;

const commentOn = (postId: string) => `comment:${postId}`;

export const commentKeys = (userId: string, postId: string): IdempotencyKeys =>
  keysOf(userId, commentOn(postId));

export const useCommentDraft = (userId: string | undefined, postId: string): string =>
  useKeptDraft<string>(userId, commentOn(postId)) ?? '';

export const setCommentDraft = (userId: string, postId: string, content: string): void =>
  keepDraft(userId, commentOn(postId), content || undefined, { unsent: !isBlank(content) });

export const editOf = (postId: string) => `edit:${postId}`;

/** What was changed in the edit dialog of a post and not saved. */
export interface PostEdit extends Omit<PostDraft, 'images'> {
  /** Absent in one that an earlier version has kept. */
  images?: DraftImage[];
}

export const keptEdit = (userId: string | undefined, postId: string): PostEdit | undefined =>
  keptDraft<PostEdit>(userId, editOf(postId));

export const useKeptEdit = (userId: string | undefined, postId: string): PostEdit | undefined =>
  useKeptDraft<PostEdit>(userId, editOf(postId));

export const keepEdit = (userId: string, postId: string, edit: PostEdit | undefined): void =>
  keepDraft(userId, editOf(postId), edit);

/** For a post that no longer exists. */
export function forgetDraftsOf(postId: string): void {
  forgetPlace(editOf(postId));
  forgetPlace(commentOn(postId));
  forgetPlace(keyAt(commentOn(postId)));
}

/** Puts a comment that could not be sent back into the box, before text written since. */
export function returnComment(userId: string, postId: string, failed: string): void {
  const current = keptDraft<string>(userId, commentOn(postId)) ?? '';
  setCommentDraft(userId, postId, isBlank(current) ? failed : `${failed}\n${current}`);
}
