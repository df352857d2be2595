import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { aProfile } from '../../test/a-post.js';
import { fakeGateway } from '../../test/fake-gateway.js';
import type { FakeGateway } from '../../test/fake-gateway.js';
import { aPageAround } from '../../test/render.js';
import ProfilePage from './profile-page.js';
import UsernamePage from './username-page.js';

let gateway: FakeGateway;
beforeEach(() => {
  gateway = fakeGateway();
  globalThis.scrollTo = () => undefined;
});
afterEach(cleanup);

const stats = { posts: 3, followers: 5, following: 7, subscribers: null, likes: 11, comments: 13 };

async function visit(path: string, over: Parameters<typeof aProfile>[0]) {
  const profile = aProfile({ stats, ...over });
  gateway.on('GET /api/users/coach', () => profile);
  gateway.on('GET /api/users/by-username/coach', () => profile);
  gateway.on('GET /api/users/coach/posts', () => ({ items: [], nextCursor: null }));
  render(
    <Routes>
      <Route path="/profile/:userId" element={<ProfilePage />} />
      <Route path="/:username" element={<UsernamePage />} />
    </Routes>,
    { wrapper: aPageAround({ path }).wrapper },
  );
  await screen.findByRole('heading', { level: 1 });
}

const figures = () => {
  const titles = screen.getAllByRole('term').map(({ textContent }) => textContent);
  const values = screen.getAllByRole('definition').map(({ textContent }) => textContent);
  return titles.map((title, index) => `${title} ${values[index]}`);
};

// Rule: PEOPLE-2, UI-25, UI-26
describe('a public profile', () => {
  it('of a coach has tabs, and a dash for a figure that nobody can tell', async () => {
    await visit('/coach', { isCoach: true });
    expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual(['Posts', 'Reviews']);
    expect(figures()).toEqual(['Subscribers –', 'Followers 5', 'Following 7']);
    expect(screen.getByText('Coach', { selector: 'span' })).toBeTruthy();
  });

  it('of a member has their posts alone', async () => {
    await visit('/coach', { isCoach: false, viewer: null });
    expect(screen.queryByRole('tab')).toBeNull();
    expect(figures()).toEqual(['Posts 3', 'Followers 5', 'Following 7']);
    expect(await screen.findByText('Posts from this user will appear here')).toBeTruthy();
    expect(screen.getByText('Member')).toBeTruthy();
  });

  it('by its id has what the posts received', async () => {
    await visit('/profile/coach', { isCoach: false });
    expect(figures()).toEqual(['Posts 3', 'Likes 11', 'Comments 13']);
  });

  it('of one’s own invites to post', async () => {
    const viewer = { ...aProfile().viewer!, isSelf: true };
    await visit('/coach', { isCoach: false, viewer });
    expect(await screen.findByText('Share your fitness journey with the community!')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Follow' })).toBeNull();
  });
});
