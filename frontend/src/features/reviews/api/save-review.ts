import { useQueryClient } from '@tanstack/react-query';
import { client, unwrap } from '../../../api/client.js';
import { profileKeys } from '../../../api/profile-cache.js';
import { useSingleMutation } from '../../../api/use-single-mutation.js';
import type { ReviewDraft } from '../review-draft.js';
import { reviewsKey } from './get-reviews.js';

function useReviewsRefresh(coachId: string) {
  const queryClient = useQueryClient();
  return () => {
    // The average stands on the profile and in the directory too.
    void queryClient.invalidateQueries({ queryKey: profileKeys.all });
    return queryClient.invalidateQueries({ queryKey: reviewsKey(coachId) });
  };
}

/** PUT /api/coaches/{id}/reviews/mine: the first time adds, after that updates (decisions 17). */
export function useSaveReview(coachId: string) {
  const refresh = useReviewsRefresh(coachId);
  return useSingleMutation({
    mutationFn: ({ rating, comment }: ReviewDraft) =>
      unwrap(
        client.PUT('/api/coaches/{id}/reviews/mine', {
          params: { path: { id: coachId } },
          body: { rating, comment: comment.trim() },
        }),
      ),
    onSuccess: refresh,
  });
}

/** DELETE /api/coaches/{id}/reviews/mine */
export function useDeleteReview(coachId: string) {
  const refresh = useReviewsRefresh(coachId);
  return useSingleMutation({
    mutationFn: () =>
      unwrap(client.DELETE('/api/coaches/{id}/reviews/mine', { params: { path: { id: coachId } } })),
    onSuccess: refresh,
  });
}
