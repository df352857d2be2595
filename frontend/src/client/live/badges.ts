import { useSyncExternalStore } from 'react';
import type { Badges } from '../../api/types.js';

const NONE: Badges = { notifications: 0, messages: 0 };

let badges = NONE;
const listeners = new Set<() => void>();

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const getBadges = (): Badges => badges;

/** The numbers of the viewer's unread notifications and messages (NOTIF-7). */
export const useBadges = (): Badges => useSyncExternalStore(subscribe, getBadges);

/** Also before the server knows: the badge of what was just read goes at once. */
export function setBadges(change: Partial<Badges>): void {
  const next = { ...badges, ...change };
  if (next.notifications === badges.notifications && next.messages === badges.messages) return;
  badges = next;
  for (const listener of listeners) listener();
}

export const clearBadges = (): void => setBadges(NONE);
