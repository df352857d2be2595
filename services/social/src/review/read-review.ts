import { RATING, VALIDATION_MESSAGES, TEXT_LIMITS } from '@pulso/contracts/limits';
import { FieldProblems } from '@pulso/platform/validation/field-problems';

/** Reads rating and comment of a review (PEOPLE-29). Throws `validation-failed` with every problem. */
export function readReview(input: { rating: number; comment: string }): { rating: number; comment: string } {
  const problems = new FieldProblems();
  const { rating } = input;
  if (!Number.isInteger(rating) || rating < RATING.min || rating > RATING.max) {
    problems.add('rating', 'out-of-range', VALIDATION_MESSAGES.rating);
  }
  const comment = problems.text('comment', input.comment, TEXT_LIMITS.review);
  if (comment === '') problems.add('comment', 'required', VALIDATION_MESSAGES.emptyReview);
  problems.check();
  return { rating, comment };
}
