import { useQueryClient } from '@tanstack/react-query';
import { queryKeys } from '../../../server/queries/query-keys.js';
import { useSingleMutation } from '../../../server/queries/use-single-mutation.js';
import { client, unwrap } from '../../../server/client/client.js';
import { settle } from '../../../components/feedback/undoable.js';
import { written } from '../../../text/written.js';
import { forgetSentReview } from '../review-draft.js';
import type { ReviewDraft } from '../review-draft.js';

/** What a deletion of the viewer's review and a new one are about. */
export const mineOf = (coachId: string): string => `review:${coachId}`;

export function useReviewsRefresh(coachId: string) {
  const queryClient = useQueryClient();
  return () => {
    // The profile and the directory show the average too.
    void queryClient.invalidateQueries({ queryKey: queryKeys.profiles.all });
    return queryClient.invalidateQueries({ queryKey: queryKeys.reviews.ofCoach(coachId) });
  };
}

interface Outcome {
  onSaved: () => void;
  onFailed: (error: unknown) => void;
}

/**
 * PUT /api/coaches/{id}/reviews/mine: adds the first time, then updates (PEOPLE-28). The callbacks run even if the
 * reviewer has left the page.
 */
export function useSaveReview(coachId: string, { onSaved, onFailed }: Outcome) {
  const refresh = useReviewsRefresh(coachId);
  return useSingleMutation({
    mutationFn: async ({ rating, comment }: ReviewDraft) => {
      // A deletion of the one before, sent later, would delete this one.
      await settle(mineOf(coachId));
      return unwrap(
        client.PUT('/api/coaches/{id}/reviews/mine', {
          params: { path: { id: coachId } },
          body: { rating, comment: written(comment) },
        }),
      );
    },
    onSuccess: async (review, sent) => {
      // Refresh first: the form is still open and must not show the old review.
      await refresh();
      forgetSentReview(review.reviewer.id, coachId, sent);
      onSaved();
    },
    onError: onFailed,
  });
}
