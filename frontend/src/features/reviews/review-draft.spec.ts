import { describe, expect, it } from '@jest/globals';
import { aReview } from '../../../test/a-post.js';
import { draftFrom, reviewErrors } from './review-draft.js';
import { texts } from '../../i18n/texts.js';
import { en } from './texts.en.js';

describe('draftFrom', () => {
  it('starts with five stars', () => expect(draftFrom(null)).toEqual({ rating: 5, comment: '' }));
  it('starts from the review there is', () =>
    expect(draftFrom(aReview({ rating: 2, comment: 'Hm' }))).toEqual({ rating: 2, comment: 'Hm' }));
});

// Rule: PEOPLE-29
describe('reviewErrors', () => {
  it.each([1, 2, 3, 4, 5])('%d stars will do', (rating) =>
    expect(reviewErrors({ rating, comment: 'Good' }, { ...texts.en, ...en })).toEqual({}),
  );
  it.each([0, 6, 2.5, NaN])('%d stars will not', (rating) =>
    expect(reviewErrors({ rating, comment: 'Good' }, { ...texts.en, ...en })).toEqual({
      rating: 'Please select a rating between 1 and 5 stars',
    }),
  );
  it.each(['', ' \n', '\u200b'])('a comment of %j will not', (comment) =>
    expect(reviewErrors({ rating: 5, comment }, { ...texts.en, ...en })).toEqual({
      comment: 'Please write a comment for your review',
    }),
  );
  it('counts code points', () => {
    expect(reviewErrors({ rating: 5, comment: '💪'.repeat(2000) }, { ...texts.en, ...en })).toEqual({});
    expect(reviewErrors({ rating: 5, comment: '💪'.repeat(2001) }, { ...texts.en, ...en }).comment).toMatch(
      /at most 2000/,
    );
  });
});
