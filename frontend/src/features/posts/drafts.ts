import { useSyncExternalStore } from 'react';
import { session } from '../../session/session.js';
import type { NewPost } from './api/create-post.js';

const EMPTY: NewPost = { content: '', visibility: 'public' };

/** The unpublished post of this tab, and whose it is; it outlives the page it is written on, not the session. */
let kept: { userId: string; draft: NewPost } | undefined;
const listeners = new Set<() => void>();

export const getDraft = (userId: string): NewPost => (kept?.userId === userId ? kept.draft : EMPTY);

export function setDraft(userId: string, draft: NewPost): void {
  kept = { userId, draft };
  for (const listener of listeners) listener();
}

export const clearDraft = (userId: string): void => setDraft(userId, EMPTY);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useDraft = (userId: string): NewPost => useSyncExternalStore(subscribe, () => getDraft(userId));

session.subscribe(() => {
  if (session.getState().status === 'signed-out') kept = undefined;
});
