import { useMutation, useQueryClient } from '@tanstack/react-query';
import { changeProfile } from '../../../server/queries/profile-cache.js';
import { succeeded } from '../../../components/feedback/feedback-store.js';
import { client, unwrap } from '../../../server/client/client.js';
import { followKey, withFollowed, withFollowing } from '../follow.js';
import { readAgainAfterFollow, showFollowingInLists } from './people-lists.js';

/** The act of notices. */
export const followAct = (id: string) => `follow:${id}`;

/**
 * PUT and DELETE /api/users/{id}/follow, shown at once and undone on failure. Toggles of one user are sent one after the
 * other (`scope`), and only the last answer's count is used (PEOPLE-21).
 */
export function useFollow(
  id: string,
  viewerId: string | undefined,
  onFailed: (error: unknown, following: boolean) => void,
) {
  const queryClient = useQueryClient();
  const mutationKey = followKey(id);
  const show = (following: boolean) => {
    changeProfile(queryClient, id, (profile) => withFollowing(profile, following));
    showFollowingInLists(queryClient, id, following);
    if (viewerId) changeProfile(queryClient, viewerId, (own) => withFollowed(own, following ? 1 : -1));
  };
  return useMutation({
    mutationKey,
    scope: { id: `follow-${id}` },
    mutationFn: (following: boolean) => {
      const target = { params: { path: { id } } };
      return unwrap(
        following
          ? client.PUT('/api/users/{id}/follow', target)
          : client.DELETE('/api/users/{id}/follow', target),
      );
    },
    onMutate: show,
    onSuccess: ({ following, followerCount }) => {
      succeeded(followAct(id));
      if (queryClient.isMutating({ mutationKey }) > 1) return;
      changeProfile(queryClient, id, (profile) => ({
        ...withFollowing(profile, following),
        stats: { ...profile.stats, followers: followerCount },
      }));
      showFollowingInLists(queryClient, id, following);
      readAgainAfterFollow(queryClient);
    },
    onError: (error, following) => {
      show(!following);
      onFailed(error, following);
    },
  });
}
