import { type FieldError, validationFailed } from '@pulso/platform/errors/domain-error';
import { type TextRule, cleanText } from '@pulso/platform/text/text-rules';

const COMMENT: TextRule = { max: 2000, multiline: true, joiners: true };

/** What a member says of a coach (product.md section 5). Throws `validation-failed` with every problem. */
export function readReview(input: { rating: number; comment: string }): { rating: number; comment: string } {
  const errors: FieldError[] = [];
  const { rating } = input;
  if (!Number.isInteger(rating) || rating < 1 || rating > 5) {
    const message = 'Please select a rating between 1 and 5 stars';
    errors.push({ path: 'rating', code: 'out-of-range', message });
  }
  const { value: comment, problem } = cleanText(input.comment, COMMENT);
  if (problem) errors.push({ path: 'comment', ...problem });
  if (comment === '') {
    errors.push({ path: 'comment', code: 'required', message: 'Please write a comment for your review' });
  }
  if (errors.length > 0) throw validationFailed(errors);
  return { rating, comment: comment! };
}
