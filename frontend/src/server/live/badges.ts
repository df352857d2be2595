import { useSyncExternalStore } from 'react';
import type { Badges } from '../../api/types.js';

const NO_BADGES: Badges = { notifications: 0, messages: 0 };

let badges = NO_BADGES;
const listeners = new Set<() => void>();

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const getBadges = (): Badges => badges;

/** The numbers of the viewer's unread notifications and messages (NOTIF-7). */
export const useBadges = (): Badges => useSyncExternalStore(subscribe, getBadges, () => NO_BADGES);

/** New object on every update, so that equal counts still count as newer. */
export function setBadges(change: Partial<Badges>): void {
  badges = { ...badges, ...change };
  for (const listener of listeners) listener();
}

export const clearBadges = (): void => setBadges(NO_BADGES);

let begun = 0;
let ended = 0;
const readEnds = new Set<() => void>();

/**
 * Shows something as read before the server knows it.
 *
 * @returns call it with the server's answer. A failure brings the counts back, unless newer ones have arrived.
 */
export function showRead(change: Partial<Badges>): (done: boolean) => void {
  const before = badges;
  setBadges(change);
  const shown = badges;
  begun += 1;
  return (done) => {
    ended += 1;
    if (!done && badges === shown) setBadges(before);
    for (const listener of readEnds) listener();
  };
}

/** The reads of this tab: how many have begun, and how many the server has not answered yet. */
export const getReads = (): { begun: number; underWay: number } => ({ begun, underWay: begun - ended });

/** Calls `listener` after each answer to a read, until `signal`. */
export function onReadEnd(listener: () => void, signal: AbortSignal): void {
  readEnds.add(listener);
  signal.addEventListener('abort', () => readEnds.delete(listener));
}
