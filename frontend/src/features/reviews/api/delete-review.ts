import { useQueryClient } from '@tanstack/react-query';
import { queryKeys } from '../../../server/queries/query-keys.js';
import { client, unwrap } from '../../../server/client/client.js';
import { useDeletion } from '../../../components/feedback/deletions.js';
import { withoutMine } from './review-cache.js';
import type { ReviewPages } from './review-cache.js';
import { mineOf, useReviewsRefresh } from './save-review.js';

interface Outcome {
  /** Says that it is deleted. */
  message: string;
  onFailed: (error: unknown) => void;
}

/** DELETE /api/coaches/{id}/reviews/mine, with Undo. */
export function useDeleteReview(coachId: string, { message, onFailed }: Outcome): (id: string) => void {
  const queryClient = useQueryClient();
  const refresh = useReviewsRefresh(coachId);
  const startDeletion = useDeletion();
  return (id) =>
    startDeletion({
      id,
      subject: mineOf(coachId),
      message,
      selector: `[data-review="${id}"]`,
      send: () =>
        unwrap(
          client.DELETE('/api/coaches/{id}/reviews/mine', {
            params: { path: { id: coachId } },
            keepalive: true,
          }),
        ),
      onDeleted: () => {
        queryClient.setQueryData<ReviewPages>(queryKeys.reviews.ofCoach(coachId), (cached) =>
          cached?.pages[0]?.mine?.id === id ? withoutMine(cached) : cached,
        );
        void refresh();
      },
      onFailed: (error) => {
        onFailed(error);
        void refresh();
      },
    });
}
