import { useSyncExternalStore } from 'react';
import { session } from './session.js';

interface Kept {
  draft: unknown;
  /** Whether somebody would miss it. */
  unsent: boolean;
}

/**
 * What `owner` has written in this tab and not sent, by place. It outlives the page it is written on and a session that
 * the server ended, but neither a log-out nor the sign-in of somebody else. In memory only: others use the same machine.
 */
const kept = new Map<string, Kept>();
let owner: string | undefined;
const listeners = new Set<() => void>();

export const keptDraft = <Draft>(userId: string | undefined, place: string): Draft | undefined =>
  userId === owner ? (kept.get(place)?.draft as Draft | undefined) : undefined;

/** Keeps what `userId` is writing at `place`; undefined forgets it. A late one of somebody who has left is dropped. */
export function keepDraft(userId: string, place: string, draft: unknown, unsent = true): void {
  if (hasLeft(userId)) return;
  if (owner !== userId) kept.clear();
  owner = userId;
  if (draft === undefined) kept.delete(place);
  else kept.set(place, { draft, unsent });
  changed();
}

/** For a place that is no more, whoever was writing there. */
export function forgetPlace(place: string): void {
  if (kept.delete(place)) changed();
}

export const useKeptDraft = <Draft>(userId: string | undefined, place: string): Draft | undefined =>
  useSyncExternalStore(subscribe, () => keptDraft<Draft>(userId, place));

function hasLeft(userId: string): boolean {
  const state = session.getState();
  if (state.status === 'signed-in') return state.user.id !== userId;
  // Of an ended session we know whose it was only by what they have written.
  const isSomebodyElses = owner !== undefined && owner !== userId;
  return state.status === 'signed-out' && (state.reason === 'logout' || isSomebodyElses);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const warn = (event: BeforeUnloadEvent): void => event.preventDefault();

function changed(): void {
  // Only while there is something to lose: a page that listens for it is not kept for the browser's Back.
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
