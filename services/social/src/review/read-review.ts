import { RATING, VALIDATION_MESSAGES, TEXT_LIMITS } from '@pulso/contracts/limits';
import { type FieldError, validationFailed } from '@pulso/platform/errors/domain-error';
import { cleanText } from '@pulso/platform/text/text-rules';

/** Reads rating and comment of a review (PEOPLE-29). Throws `validation-failed` with every problem. */
export function readReview(input: { rating: number; comment: string }): { rating: number; comment: string } {
  const errors: FieldError[] = [];
  const { rating } = input;
  if (!Number.isInteger(rating) || rating < RATING.min || rating > RATING.max) {
    errors.push({ path: 'rating', code: 'out-of-range', message: VALIDATION_MESSAGES.rating });
  }
  const { value: comment, problem } = cleanText(input.comment, TEXT_LIMITS.review);
  if (problem) errors.push({ path: 'comment', ...problem });
  if (comment === '') {
    errors.push({ path: 'comment', code: 'required', message: VALIDATION_MESSAGES.emptyReview });
  }
  if (errors.length > 0) throw validationFailed(errors);
  return { rating, comment: comment! };
}
