import { forgetPlace, keepDraft, keptDraft, useKeptDraft } from '../../session/drafts.js';
import { isBlank } from '../../validation/text.js';
import type { NewPost } from './api/create-post.js';

const EMPTY: NewPost = { content: '', visibility: 'public' };
const POST = 'post';

export const setDraft = (userId: string, draft: NewPost): void =>
  keepDraft(userId, POST, draft, !isBlank(draft.content));

export const clearDraft = (userId: string): void => keepDraft(userId, POST, undefined);

export const useDraft = (userId: string): NewPost => useKeptDraft<NewPost>(userId, POST) ?? EMPTY;

const commentOn = (postId: string) => `comment:${postId}`;

export const useCommentDraft = (userId: string, postId: string): string =>
  useKeptDraft<string>(userId, commentOn(postId)) ?? '';

export const setCommentDraft = (userId: string, postId: string, content: string): void =>
  keepDraft(userId, commentOn(postId), content || undefined, !isBlank(content));

/** For a post that no longer exists. */
export const forgetCommentDraft = (postId: string): void => forgetPlace(commentOn(postId));

/** Puts a comment that could not be sent back into the box, before text written since. */
export function returnComment(userId: string, postId: string, failed: string): void {
  const current = keptDraft<string>(userId, commentOn(postId)) ?? '';
  setCommentDraft(userId, postId, isBlank(current) ? failed : `${failed}\n${current}`);
}
