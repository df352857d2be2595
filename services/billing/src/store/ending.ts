import type { EndReason } from './end-reason.js';
import { cancel, stop, type Terms } from './subscription.js';

/** Subscriptions that end because of one of the two users: all those of `side` with `userId` that have begun before `upTo`. */
export interface Ending {
  side: 'coach' | 'subscriber';
  userId: string;
  reason: EndReason;
  upTo: number;
}

/** What a user's state ends (SUBS-12). A suspended subscriber keeps what they have. */
export function endingsOf(user: { status: string; isCoach: boolean }): Pick<Ending, 'side' | 'reason'>[] {
  if (user.status === 'deleted') {
    return [
      { side: 'coach', reason: 'coach-deleted' },
      { side: 'subscriber', reason: 'subscriber-deleted' },
    ];
  }
  if (user.status === 'suspended') return [{ side: 'coach', reason: 'coach-suspended' }];
  return user.isCoach ? [] : [{ side: 'coach', reason: 'coach-stopped' }];
}

/** A coach who stops leaves paid periods to their end; any other ending is at once. */
export function endFor<T extends Terms>(reason: EndReason, subscription: T, now: number): T {
  return reason === 'coach-stopped' ? cancel(subscription, now) : stop(subscription, now);
}
