import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import { aMe, withoutFigures } from '../../../../test/a-post.js';
import { fakeGateway } from '../../../../test/fake-gateway.js';
import { aPageAround } from '../../../../test/render.js';
import { OwnProfile } from './own-profile.js';

afterEach(cleanup);

// Rule: UI-28
describe('the panel that leads to one’s own page', () => {
  it.each([
    ['a coach’s profile, by username or not', true, 'View Coach Profile', (id: string) => `/coaches/${id}`],
    ['a member’s public profile', false, 'View Public Profile', () => '/ana-torres'],
  ])('is of %s', (_whose, isCoach, name, path) => {
    const me = aMe({ isCoach, username: 'ana-torres' });
    fakeGateway().on('GET /api/me', () => me);
    render(<OwnProfile viewer={me} />, { wrapper: aPageAround().wrapper });
    expect(screen.getByRole('link', { name }).getAttribute('href')).toBe(path(me.id));
  });
});

// Rule: SUBS-6
it('a coach without a price is told that nobody can subscribe', async () => {
  const gateway = fakeGateway();
  gateway.on('GET /api/config', () => ({ payments: 'stripe' }));
  render(<OwnProfile viewer={aMe({ isCoach: true, subscriptionPrice: null })} />, {
    wrapper: aPageAround().wrapper,
  });
  expect(await screen.findByText('Nobody can subscribe until you set a price.')).toBeTruthy();
});

// Rule: PEOPLE-2, HTTP-37
describe('the figures of one’s own page', () => {
  it('have grey shapes, as the rating has, until they are read', async () => {
    const me = aMe({
      isCoach: true,
      subscriptionPrice: 400,
      rating: { averageRating: 4.7, totalReviews: 9 },
    });
    let answer: (me: unknown) => void = () => undefined;
    const gateway = fakeGateway();
    gateway.on('GET /api/me', () => new Promise((resolve) => (answer = resolve)));
    gateway.on('GET /api/storage', () => ({ quotaBytes: 100, bytesUsed: 1 }));
    render(<OwnProfile viewer={withoutFigures(me)} />, { wrapper: aPageAround().wrapper });
    await screen.findByRole('meter', { name: 'Storage' });
    expect(gateway.calls.toSorted()).toEqual(['GET /api/me', 'GET /api/storage']);
    expect(screen.getAllByRole('img', { name: 'Loading' })).toHaveLength(4);
    expect(screen.queryByText('–')).toBeNull();
    answer(me);
    await screen.findByText('9 reviews');
    expect(screen.queryAllByRole('img', { name: 'Loading' })).toEqual([]);
    expect(screen.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual(['0', '0', '0']);
  });
});
