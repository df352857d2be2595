import { describe, expect, it } from '@jest/globals';
import { aReview } from '../../../test/a-post.js';
import { draftFrom, reviewErrors } from './review-draft.js';
import { reviewTexts } from './texts.js';

describe('draftFrom', () => {
  it('starts with five stars', () => expect(draftFrom(null)).toEqual({ rating: 5, comment: '' }));
  it('starts from the review there is', () =>
    expect(draftFrom(aReview({ rating: 2, comment: 'Hm' }))).toEqual({ rating: 2, comment: 'Hm' }));
});

// Rule: PEOPLE-29
describe('reviewErrors', () => {
  it.each([1, 2, 3, 4, 5])('%d stars will do', (rating) =>
    expect(reviewErrors({ rating, comment: 'Good' }, reviewTexts.en)).toEqual({}),
  );
  it.each([0, 6, 2.5, NaN])('%d stars will not', (rating) =>
    expect(reviewErrors({ rating, comment: 'Good' }, reviewTexts.en)).toEqual({
      rating: 'Please select a rating between 1 and 5 stars',
    }),
  );
  it.each(['', ' \n', '\u200b'])('a comment of %j will not', (comment) =>
    expect(reviewErrors({ rating: 5, comment }, reviewTexts.en)).toEqual({
      comment: 'Please write a comment for your review',
    }),
  );
  it('counts code points', () => {
    expect(reviewErrors({ rating: 5, comment: '💪'.repeat(2000) }, reviewTexts.en)).toEqual({});
    expect(reviewErrors({ rating: 5, comment: '💪'.repeat(2001) }, reviewTexts.en).comment).toMatch(
      /at most 2000/,
    );
  });
});
