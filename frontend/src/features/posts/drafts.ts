import { idempotencyKeys } from '../../api/idempotency.js';
import type { IdempotencyKeys, Sent } from '../../api/idempotency.js';
import type { Visibility } from '../../api/types.js';
import { forgetPlace, keepDraft, keptDraft, useKeptDraft } from '../../session/drafts.js';
import { isBlank } from '../../validation/text.js';
import type { NewPost } from './api/create-post.js';

const EMPTY: NewPost = { content: '', visibility: 'public' };
const POST = 'post';

export const setDraft = (userId: string, draft: NewPost): void =>
  keepDraft(userId, POST, draft, { unsent: !isBlank(draft.content) });

/** The post with this text is published: what was typed since it was sent stays as the next draft. */
export function keepTypedSince(userId: string, sent: string): void {
  const draft = keptDraft<NewPost>(userId, POST);
  const written = draft?.content.trimStart() ?? '';
  const rest = written.startsWith(sent) ? written.slice(sent.length).trimStart() : written;
  if (!draft || isBlank(rest)) keepDraft(userId, POST, undefined);
  else setDraft(userId, { ...draft, content: rest });
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

export const useDraft = (userId: string): NewPost => useKeptDraft<NewPost>(userId, POST) ?? EMPTY;

export const hasDraft = (userId: string): boolean => keptDraft(userId, POST) !== undefined;

const commentOn = (postId: string) => `comment:${postId}`;

export const commentKeys = (userId: string, postId: string): IdempotencyKeys =>
  keysOf(userId, commentOn(postId));

export const useCommentDraft = (userId: string | undefined, postId: string): string =>
  useKeptDraft<string>(userId, commentOn(postId)) ?? '';

export const setCommentDraft = (userId: string, postId: string, content: string): void =>
  keepDraft(userId, commentOn(postId), content || undefined, { unsent: !isBlank(content) });

const editOf = (postId: string) => `edit:${postId}`;

/** What was typed into the edit dialog of a post and not saved. */
export interface PostEdit {
  content: string;
  visibility: Visibility;
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
