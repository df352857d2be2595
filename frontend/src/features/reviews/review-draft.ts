import { LIMITS } from '../../api/limits.js';
import type { Review } from '../../api/types.js';
import { keepDraft, keptDraft, useKeptDraft } from '../../drafts/drafts.js';
import { isBlank, lengthError } from '../../validation/text.js';
import type { ReviewTexts } from './texts.js';

export interface ReviewDraft {
  /** Whole stars, 1 to 5. */
  rating: number;
  comment: string;
}

export const DEFAULT_RATING = 5;

/** The initial values of the form: the viewer's own review if there is one. */
export const draftFrom = (mine: Review | null): ReviewDraft =>
  mine ? { rating: mine.rating, comment: mine.comment } : { rating: DEFAULT_RATING, comment: '' };

const reviewOf = (coachId: string) => `review:${coachId}`;

/** The viewer's unsent draft about a coach. */
export const useReviewDraft = (viewerId: string | undefined, coachId: string): ReviewDraft | undefined =>
  useKeptDraft(viewerId, reviewOf(coachId));

export const keepReviewDraft = (viewerId: string, coachId: string, draft: ReviewDraft): void =>
  keepDraft(viewerId, reviewOf(coachId), draft, { unsent: !isBlank(draft.comment) });

/** Deletes a draft that has been sent; one that was changed since stays. */
export function forgetSentReview(viewerId: string, coachId: string, sent: ReviewDraft): void {
  const kept = keptDraft<ReviewDraft>(viewerId, reviewOf(coachId));
  if (kept?.rating === sent.rating && kept.comment === sent.comment) forgetReviewDraft(viewerId, coachId);
}

export const forgetReviewDraft = (viewerId: string, coachId: string): void =>
  keepDraft(viewerId, reviewOf(coachId), undefined);

/** The errors of a draft (PEOPLE-29). */
export function reviewErrors(draft: ReviewDraft, texts: ReviewTexts): { rating?: string; comment?: string } {
  const { reviews } = texts;
  const { lowestRating: lowest, highestRating: highest, reviewLength } = LIMITS;
  const wholeStars = Number.isInteger(draft.rating) && draft.rating >= lowest && draft.rating <= highest;
  const comment = isBlank(draft.comment)
    ? reviews.commentRequired
    : lengthError(reviews.comment, draft.comment, reviewLength, texts);
  return { ...(!wholeStars && { rating: reviews.ratingRequired }), ...(comment && { comment }) };
}
