import { useQueryClient } from '@tanstack/react-query';
import { changeProfile } from '../../server/queries/profile-cache.js';
import { useLiveEvents } from '../../server/live/live-events.js';
import { readAgainAfterBlock, readAgainAfterFollow, showFollowingInLists } from './api/people-lists.js';
import { followKey, withFollowing } from './follow.js';

/** Shows what the viewer has done on another device, and new followers, as the events arrive (NOTIF-10). */
export function useLiveRelations(): void {
  const queryClient = useQueryClient();
  useLiveEvents((event) => {
    if (event.type !== 'graph') return;
    const { userId, viewer } = event.data;
    // What this page has sent last is shown, though it was not done yet when the event was made.
    const isSending = queryClient.isMutating({ mutationKey: followKey(userId) }) > 0;
    // Of a user whose profile this page does not have, only a block changes what it shows.
    let wasBlocked: boolean | null = false;
    let isFollowChanged = false;
    changeProfile(queryClient, userId, (profile) => {
      if (!profile.viewer) return profile;
      const following = isSending ? profile.viewer.following === true : viewer.following === true;
      isFollowChanged ||= profile.viewer.following !== following;
      wasBlocked = profile.viewer.blocked;
      return { ...withFollowing(profile, following), viewer: { ...viewer, following } };
    });
    if (!isSending) showFollowingInLists(queryClient, userId, viewer.following === true);
    if (viewer.blocked !== wasBlocked) readAgainAfterBlock(queryClient);
    else if (isFollowChanged) readAgainAfterFollow(queryClient);
  });
}
