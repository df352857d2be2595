import { idempotencyKeys } from '../../server/http/idempotency.js';
import type { IdempotencyKeys, Sent } from '../../server/http/idempotency.js';
import { forgetDraft, keepDraft, keptDraft, useKeptDraft } from '../../drafts/drafts.js';
import { isBlank } from '../../validation/text.js';
import { EMPTY_POST, isEmptyDraft, restOf } from './post-fields.js';
import type { NewPost, PostDraft } from './post-fields.js';

/** The key of the new post's draft. */
export const POST_DRAFT = 'post';

export const setDraft = (userId: string, draft: PostDraft): void =>
  keepDraft(userId, POST_DRAFT, draft, { unsent: !isEmptyDraft(draft) });

/** The post is published: what was typed and uploaded since it was sent stays as the next draft. */
export function keepTypedSince(userId: string, sent: NewPost): void {
  const rest = restOf(draftOf(userId), sent);
  if (isEmptyDraft(rest)) keepDraft(userId, POST_DRAFT, undefined);
  else setDraft(userId, rest);
}

const keyAt = (draftKey: string) => `${draftKey}:key`;

/**
 * The idempotency keys of what is sent from the draft `draftKey`. Kept as drafts are: a text that failed and is sent again, also after
 * leaving the page or a reload, must not be stored twice (POST-12).
 */
function keysOf(userId: string, draftKey: string): IdempotencyKeys {
  const at = keyAt(draftKey);
  return idempotencyKeys({
    read: () => keptDraft<Sent>(userId, at),
    write: (sent) => keepDraft(userId, at, sent, { unsent: false }),
  });
}

export const postKeys = (userId: string): IdempotencyKeys => keysOf(userId, POST_DRAFT);

/** With the fields that a draft of an earlier version lacks. */
const whole = (draft: Partial<PostDraft> | undefined): PostDraft => ({ ...EMPTY_POST, ...draft });

export const useDraft = (userId: string): PostDraft => whole(useKeptDraft<PostDraft>(userId, POST_DRAFT));

export const draftOf = (userId: string): PostDraft => whole(keptDraft<PostDraft>(userId, POST_DRAFT));

export const hasDraft = (userId: string): boolean => keptDraft(userId, POST_DRAFT) !== undefined;

const commentOn = (postId: string) => `comment:${postId}`;

export const commentKeys = (userId: string, postId: string): IdempotencyKeys =>
  keysOf(userId, commentOn(postId));

export const useCommentDraft = (userId: string | undefined, postId: string): string =>
  useKeptDraft<string>(userId, commentOn(postId)) ?? '';

export const setCommentDraft = (userId: string, postId: string, content: string): void =>
  keepDraft(userId, commentOn(postId), content || undefined, { unsent: !isBlank(content) });

export const editOf = (postId: string) => `edit:${postId}`;

/** What was changed in the edit dialog of a post and not saved; one that an earlier version kept may lack fields. */
export type PostEdit = Partial<PostDraft>;

export const keptEdit = (userId: string | undefined, postId: string): PostEdit | undefined =>
  keptDraft<PostEdit>(userId, editOf(postId));

export const useKeptEdit = (userId: string | undefined, postId: string): PostEdit | undefined =>
  useKeptDraft<PostEdit>(userId, editOf(postId));

export const keepEdit = (userId: string, postId: string, edit: PostEdit | undefined): void =>
  keepDraft(userId, editOf(postId), edit);

/** For a post that no longer exists. */
export function forgetDraftsOf(postId: string): void {
  forgetDraft(editOf(postId));
  forgetDraft(commentOn(postId));
  forgetDraft(keyAt(commentOn(postId)));
}

/** Puts a comment that could not be sent back into the box, before text written since. */
export function returnComment(userId: string, postId: string, failed: string): void {
  const current = keptDraft<string>(userId, commentOn(postId)) ?? '';
  setCommentDraft(userId, postId, isBlank(current) ? failed : `${failed}\n${current}`);
}
