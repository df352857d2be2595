import { stepped } from '../../server/queries/profile-cache.js';
import type { OwnSubscription, Profile, Subscription } from '../../api/types.js';

/** Whether it opens the coach's posts: the server's own verdict (SUBS-9). */
export const isSubscribed = ({ coach }: Subscription): boolean => coach.viewer?.subscribed ?? false;

/** What a free subscription is from its first moment on. */
export const FREE: OwnSubscription = {
  status: 'active',
  accessUntil: null,
  cancelAtPeriodEnd: false,
  paid: null,
};

/**
 * What comes of a subscription that gives access. `ending`: it can be resumed. `ended`: access runs out, and nothing is left to
 * resume. `unpaid`: the last renewal has failed.
 */
export type Course = 'on' | 'ending' | 'ended' | 'unpaid';

export function courseOf({
  status,
  cancelAtPeriodEnd,
}: Pick<OwnSubscription, 'status' | 'cancelAtPeriodEnd'>): Course {
  if (status === 'cancelled') return 'ended';
  // Also where the last payment is missing: it will not be asked for again.
  if (cancelAtPeriodEnd) return 'ending';
  return status === 'past_due' ? 'unpaid' : 'on';
}

/** The coach's profile after the viewer's subscription has changed, with the subscriber count (SUBS-11). */
export function withSubscription(
  profile: Profile,
  subscribed: boolean,
  subscription: OwnSubscription | null,
): Profile {
  const { viewer, stats } = profile;
  if (!viewer) return profile;
  const changed = { ...profile, viewer: { ...viewer, subscribed, subscription } };
  if (viewer.subscribed === subscribed) return changed;
  return { ...changed, stats: { ...stats, subscribers: stepped(stats.subscribers, subscribed ? 1 : -1) } };
}
