import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanup, render, screen, within } from '@testing-library/react';
import { aProfile } from '../../../../test/a-post.js';
import { aPageAround } from '../../../../test/render.js';
import { CoachCard } from './coach-card.js';

afterEach(cleanup);

const tags = (specialties: string[]) => {
  render(<CoachCard coach={aProfile({ specialties })} />, { wrapper: aPageAround().wrapper });
  const list = screen.getByRole('list', { name: 'Specialties' });
  return within(list)
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);
};

// Rule: UI-31
describe('a coach’s card', () => {
  it('shows three specialties and how many more there are', () => {
    expect(tags(['Cardio', 'Dance', 'Pilates', 'Running', 'Yoga'])).toEqual([
      'Cardio',
      'Dance',
      'Pilates',
      '+2 more',
    ]);
  });

  it('shows three specialties as they are', () => {
    expect(tags(['Cardio', 'Dance', 'Pilates'])).toEqual(['Cardio', 'Dance', 'Pilates']);
  });

  it('leads to the coach', () => {
    render(<CoachCard coach={aProfile({ name: 'Sarah', username: 'sarah' })} />, {
      wrapper: aPageAround().wrapper,
    });
    expect(screen.getByRole('link', { name: 'Sarah' }).getAttribute('href')).toBe('/sarah');
  });
});

// Rule: UI-31
describe('the figures of a coach’s card', () => {
  const figures = (over: Parameters<typeof aProfile>[0]) => {
    render(<CoachCard coach={aProfile(over)} action={<button type="button">Act</button>} />, {
      wrapper: aPageAround().wrapper,
    });
    return screen.getByText(/follower/).closest('p')!.textContent;
  };
  const stats = { ...aProfile().stats, followers: 1, posts: 60 };

  it('are followers and posts, without a line about reviews that do not exist', () => {
    expect(figures({ stats })).toBe('1 follower60 posts');
    expect(screen.getByRole('button', { name: 'Act' })).toBeTruthy();
  });

  it('begin with the rating once there is one', () => {
    expect(figures({ stats, rating: { averageRating: 4.5, totalReviews: 2 } })).toMatch(/^4\.5.*2 reviews/);
  });

  it('leave out what is not known', () => {
    expect(figures({ stats: { ...stats, posts: null } })).toBe('1 follower');
  });
});
