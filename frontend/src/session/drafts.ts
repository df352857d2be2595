import { useSyncExternalStore } from 'react';
import { session } from './session.js';

interface Kept {
  draft: unknown;
  /** Whether closing the page would lose it. */
  unsent: boolean;
}

/**
 * The unsent drafts of `owner` in this tab, by place. They outlive their page and a session that the server ended, but
 * not a log-out or the sign-in of another user. In memory only, since several people may use the machine.
 */
const kept = new Map<string, Kept>();
let owner: string | undefined;
const listeners = new Set<() => void>();

export const keptDraft = <Draft>(userId: string | undefined, place: string): Draft | undefined =>
  userId === owner ? (kept.get(place)?.draft as Draft | undefined) : undefined;

/** Stores the draft of `userId` at `place`; undefined deletes it. Ignored if `userId` is no longer signed in. */
export function keepDraft(userId: string, place: string, draft: unknown, unsent = true): void {
  if (hasLeft(userId)) return;
  if (owner !== userId) kept.clear();
  owner = userId;
  if (draft === undefined) kept.delete(place);
  else kept.set(place, { draft, unsent });
  changed();
}

/** Deletes the draft of a place that no longer exists. */
export function forgetPlace(place: string): void {
  if (kept.delete(place)) changed();
}

export const useKeptDraft = <Draft>(userId: string | undefined, place: string): Draft | undefined =>
  useSyncExternalStore(subscribe, () => keptDraft<Draft>(userId, place));

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

const warn = (event: BeforeUnloadEvent): void => event.preventDefault();

function changed(): void {
  // Only while there is unsent text: browsers do not keep a page with this listener in their back/forward cache.
  const unsent = [...kept.values()].some((one) => one.unsent);
  if (unsent) window.addEventListener('beforeunload', warn);
  else window.removeEventListener('beforeunload', warn);
  for (const listener of listeners) listener();
}

session.subscribe(() => {
  if (owner === undefined || !hasLeft(owner)) return;
  kept.clear();
  owner = undefined;
  changed();
});
