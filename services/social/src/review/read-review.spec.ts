import { DomainError } from '@pulso/platform/errors/domain-error';
import { readReview } from './read-review.js';

function problems(rating: number, comment: string): string[] {
  try {
    readReview({ rating, comment });
  } catch (error) {
    if (error instanceof DomainError) return error.details.errors!.map(({ message }) => message);
    throw error;
  }
  return [];
}

const STARS = 'Please select a rating between 1 and 5 stars';
const TEXT = 'Please write a comment for your review';

// Rule: PEOPLE-29
describe('readReview', () => {
  it('trims the comment', () => {
    expect(readReview({ rating: 5, comment: '  Strong\nand kind 💪 ' })).toEqual({
      rating: 5,
      comment: 'Strong\nand kind 💪',
    });
  });

  it.each([0, 6, -1, 4.5, NaN, Infinity])('refuses %p stars', (rating) => {
    expect(problems(rating, 'Good')).toEqual([STARS]);
  });

  it.each(['', '   ', '\u200b\n'])('refuses the empty comment %j', (comment) => {
    expect(problems(3, comment)).toEqual([TEXT]);
  });

  it('counts the comment in code points', () => {
    expect(problems(3, '💪'.repeat(2000))).toEqual([]);
    expect(problems(3, '💪'.repeat(2001))).toEqual(['Must be at most 2000 characters']);
  });

  it('reports every problem at once', () => {
    expect(problems(0, '')).toEqual([STARS, TEXT]);
  });
});
