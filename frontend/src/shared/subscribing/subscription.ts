import { stepped } from '../../server/queries/profile-cache.js';
import type { Profile, Subscription } from '../../api/types.js';

/** Whether it opens the coach's posts: the server's own verdict (SUBS-9). */
export const isSubscribed = ({ coach }: Subscription): boolean => coach.viewer?.subscribed ?? false;

/** The coach's profile after the viewer subscribes or unsubscribes, with the subscriber count (SUBS-11). */
export function withSubscribed(profile: Profile, subscribed: boolean): Profile {
  const { viewer, stats } = profile;
  if (!viewer || viewer.subscribed === subscribed) return profile;
  return {
    ...profile,
    viewer: { ...viewer, subscribed },
    stats: { ...stats, subscribers: stepped(stats.subscribers, subscribed ? 1 : -1) },
  };
}
