import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import { aMe } from '../../../../test/a-post.js';
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
