import { stepped } from '../../server/queries/profile-cache.js';
import type { Profile } from '../../api/types.js';

/** The key of the follows and unfollows of user `id` that are on their way. */
export const followKey = (id: string) => ['follow', id];

/** The profile after the viewer follows or unfollows it, with its follower count. */
export function withFollowing(profile: Profile, following: boolean): Profile {
  const { viewer, stats } = profile;
  if (!viewer || viewer.following === following) return profile;
  return {
    ...profile,
    viewer: { ...viewer, following },
    stats: { ...stats, followers: stepped(stats.followers, following ? 1 : -1) },
  };
}

/** The viewer's own profile with one more or one fewer followed user. */
export const withFollowed = (own: Profile, by: 1 | -1): Profile => ({
  ...own,
  stats: { ...own.stats, following: stepped(own.stats.following, by) },
});

/** The profile after the viewer blocks it (follows end both ways, PEOPLE-22) or unblocks it. */
export function withBlocked(profile: Profile, blocked: boolean): Profile {
  const { viewer } = profile;
  if (!viewer) return profile;
  if (!blocked) return { ...profile, viewer: { ...viewer, blocked } };
  const unfollowed = viewer.following ? withFollowing(profile, false) : profile;
  return { ...unfollowed, viewer: { ...viewer, following: false, followsYou: false, blocked } };
}
