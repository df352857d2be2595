import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanup, render, screen, within } from '@testing-library/react';
import { aProfile } from '../../../../test/a-post.js';
import { aCoachOf } from '../../../../test/a-subscription.js';
import { aPageAround } from '../../../../test/render.js';
import type { OwnSubscription } from '../../../api/types.js';
import { FREE } from '../../../shared/subscribing/subscription.js';
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

// Rule: SUBS-25
describe('the price on a coach’s card', () => {
  const END = '2099-12-24T10:00:00.000Z';
  const paid = { amount: 400, currency: 'MXN' as const };
  it.each<[string, Partial<OwnSubscription> | undefined, string]>([
    ['a visitor', undefined, 'MX$500.00 per month'],
    ['who pays', { paid }, 'You pay MX$400.00 per month'],
    [
      'whose payment has failed',
      { paid, status: 'past_due', accessUntil: END },
      'You pay MX$400.00 per month',
    ],
    ['who may resume', { paid, cancelAtPeriodEnd: true, accessUntil: END }, 'MX$400.00 per month'],
    ['who has to subscribe anew', { paid, status: 'cancelled', accessUntil: END }, 'MX$500.00 per month'],
    ['who pays nothing', {}, 'MX$500.00 per month'],
  ])('is for %s what it costs them', (_who, over, shown) => {
    const price = { subscriptionPrice: 500, subscriptionCurrency: 'MXN' as const };
    const coach = over ? aCoachOf({ ...FREE, ...over }, price) : aProfile(price);
    render(<CoachCard coach={coach} />, { wrapper: aPageAround().wrapper });
    expect(screen.getByText(/per month/).textContent).toBe(shown);
  });
});
