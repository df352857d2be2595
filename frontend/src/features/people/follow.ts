import type { Profile } from '../../api/types.js';

const step = (count: number | null, by: number): number | null =>
  count === null ? null : Math.max(0, count + by);

/** A profile as it looks once the viewer follows it or no longer does; its follower count goes with it. */
export function withFollowing(profile: Profile, following: boolean): Profile {
  const { viewer, stats } = profile;
  if (!viewer || viewer.following === following) return profile;
  return {
    ...profile,
    viewer: { ...viewer, following },
    stats: { ...stats, followers: step(stats.followers, following ? 1 : -1) },
  };
}

/** The viewer's own profile with one more or one fewer followed. */
export const withFollowed = (own: Profile, by: 1 | -1): Profile => ({
  ...own,
  stats: { ...own.stats, following: step(own.stats.following, by) },
});

/** A profile after the viewer blocked it (follows end both ways, decisions 19) or took the block back. */
export function withBlocked(profile: Profile, blocked: boolean): Profile {
  const { viewer } = profile;
  if (!viewer) return profile;
  if (!blocked) return { ...profile, viewer: { ...viewer, blocked } };
  const unfollowed = viewer.following ? withFollowing(profile, false) : profile;
  return { ...unfollowed, viewer: { ...viewer, following: false, followsYou: false, blocked } };
}
