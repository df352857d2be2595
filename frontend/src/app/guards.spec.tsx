import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, render, screen } from '@testing-library/react';
import { aMe, aSession } from '../../test/a-post.js';
import { fakeGateway } from '../../test/fake-gateway.js';
import type { FakeGateway } from '../../test/fake-gateway.js';
import { aPageAround } from '../../test/render.js';
import { clearFeedback, getFeedback } from '../components/feedback/feedback-store.js';
import { session } from '../server/session/session.js';
import { AppRoutes } from './routes.js';

let gateway: FakeGateway;
beforeEach(() => {
  gateway = fakeGateway();
  globalThis.scrollTo = () => undefined;
  gateway.on('GET /api/me', () => aMe());
  gateway.on('GET /api/feed', () => ({ items: [], nextCursor: null }));
  gateway.on('GET /api/users/ben/posts', () => ({ items: [], nextCursor: null }));
  gateway.on('POST /api/auth/logout', () => new Response(null, { status: 204 }));
});
afterEach(async () => {
  await act(() => session.signOut());
  act(clearFeedback);
  cleanup();
});

const visit = (path: string) => render(<AppRoutes />, { wrapper: aPageAround({ path }).wrapper });
const heading = (name: string) => screen.findByRole('heading', { level: 1, name });

// Rule: UI-1, UI-2, UI-3
describe('addresses that need a login', () => {
  beforeEach(() =>
    act(() => {
      session.signIn(aSession('token'));
      session.forceSignOut();
    }),
  );

  it.each(['/feed', '/profile', '/dashboard', '/subscriptions', '/coach/dashboard'])(
    'lead visitors to the login: %s',
    async (path) => {
      visit(path);
      expect(await heading('Sign in to your account')).toBeTruthy();
    },
  );
});

// Rule: UI-1
describe('addresses for visitors', () => {
  beforeEach(() => act(() => session.signIn(aSession('token'))));

  it.each(['/', '/login', '/signup'])('lead signed-in users to the feed: %s', async (path) => {
    visit(path);
    expect(await heading('Social Feed')).toBeTruthy();
  });
});

// Rule: SUBS-29
it('the dashboard leads a member to their profile, and says why', async () => {
  act(() => session.signIn(aSession('token')));
  visit('/dashboard');
  expect(await heading('Ben')).toBeTruthy();
  expect(getFeedback().toasts).toMatchObject([
    { type: 'error', message: 'Access denied. Only coaches can view the dashboard.' },
  ]);
  expect(gateway.calls).not.toContain('GET /api/dashboard');
});
