import { useSyncExternalStore } from 'react';
import { forgetStoredDrafts, storeDrafts, storedDrafts } from './draft-storage.js';
import type { KeptDraft } from './draft-storage.js';
import { session } from '../server/session/session.js';

interface Keeping {
  /** Whether closing the page would lose words: then the browser asks first. */
  unsent?: boolean;
  /** Whether the draft outlives a reload. */
  stored?: boolean;
}

/**
 * The drafts of `owner` in this tab, by key. They outlive their page, a reload and a session that the server ended, but
 * not a log-out or the sign-in of another user: several people may use the machine.
 */
const kept = new Map<string, KeptDraft>();
let owner: string | undefined;
const listeners = new Set<() => void>();

export const keptDraft = <Draft>(userId: string | undefined, key: string): Draft | undefined =>
  userId === owner ? (kept.get(key)?.draft as Draft | undefined) : undefined;

/** Stores the draft of `userId` under `key`; undefined deletes it. Ignored if `userId` is no longer signed in. */
export function keepDraft(
  userId: string,
  key: string,
  draft: unknown,
  { unsent = true, stored = true }: Keeping = {},
): void {
  if (hasLeft(userId)) return;
  if (owner !== userId) kept.clear();
  owner = userId;
  // The last one written is the last one in the map: storage drops the oldest first.
  kept.delete(key);
  if (draft !== undefined) kept.set(key, { draft, unsent, stored });
  changed();
}

/** Deletes the draft of what no longer exists. */
export function forgetDraft(key: string): void {
  if (kept.delete(key)) changed();
}

export const useKeptDraft = <Draft>(userId: string | undefined, key: string): Draft | undefined =>
  useSyncExternalStore(
    subscribe,
    () => keptDraft<Draft>(userId, key),
    // A visitor's page is all that the server renders, and visitors write nothing.
    () => undefined,
  );

function hasLeft(userId: string): boolean {
  const state = session.getState();
  if (state.status === 'signed-in') return state.user.id !== userId;
  // After a session has ended, only its drafts tell whose it was.
  const isSomebodyElses = owner !== undefined && owner !== userId;
  return state.status === 'signed-out' && (state.reason === 'logout' || isSomebodyElses);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether words of this tab would be lost with its page, or with a log-out. */
export const hasUnsent = (): boolean => [...kept.values()].some((one) => one.unsent);

const warn = (event: BeforeUnloadEvent): void => event.preventDefault();

function changed(): void {
  // Only while there is unsent text: browsers do not keep a page with this listener in their back/forward cache.
  if (hasUnsent()) window.addEventListener('beforeunload', warn);
  else window.removeEventListener('beforeunload', warn);
  if (owner === undefined) forgetStoredDrafts();
  else storeDrafts(owner, kept);
  for (const listener of listeners) listener();
}

/** Takes what the page kept before it was reloaded. Once, before the session is restored. */
export function restoreDrafts(): void {
  const stored = storedDrafts();
  if (!stored) return;
  owner = stored.owner;
  for (const [key, draft] of stored.drafts) kept.set(key, draft);
  changed();
}

session.subscribe(() => {
  if (owner === undefined || !hasLeft(owner)) return;
  kept.clear();
  owner = undefined;
  changed();
});
