import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { aComment, aMe, aPost, aProfile, aSession } from '../../test/a-post.js';
import { fakeGateway } from '../../test/fake-gateway.js';
import type { FakeGateway } from '../../test/fake-gateway.js';
// With the suite: Jest cannot link two modules at once that are imported while it runs.
import '../server/queries/queries.js';
import { clearFeedback } from '../components/feedback/feedback-store.js';
import { session } from '../server/session/session.js';
import { rememberWayBack, wayBack } from '../server/session/way-back.js';
import { App } from './app.js';
import { followSession } from './follow-session.js';

const media = globalThis.matchMedia;
afterAll(() => {
  globalThis.matchMedia = media;
});

let gateway: FakeGateway;
beforeAll(() => {
  window.scrollTo = () => undefined;
  // A wide screen, whose bar shows its entries.
  globalThis.matchMedia = (query) => ({ ...media(query), matches: query.startsWith('(min-width') });
  followSession();
});
beforeEach(() => {
  gateway = fakeGateway();
  gateway.on('POST /api/auth/logout', () => new Response(null, { status: 204 }));
  gateway.on('GET /api/me', () => aMe());
  gateway.on('GET /api/feed', () => ({ items: [], nextCursor: null }));
  gateway.on('GET /api/users/ben/posts', () => ({ items: [], nextCursor: null }));
  gateway.on('GET /api/coaches', () => ({ items: [], nextCursor: null }));
  gateway.on('GET /api/specialties', () => ({ items: [] }));
  gateway.on('GET /api/posts/p1', () => aPost());
  gateway.on('GET /api/posts/p1/comments', () => ({ items: [], nextCursor: null }));
  gateway.on('PUT /api/posts/p1/like', () => ({ liked: true, likeCount: 3 }));
  gateway.on('GET /api/users/coach', () =>
    aProfile({ viewer: session.getState().status === 'signed-in' ? aProfile().viewer : null }),
  );
  gateway.on('GET /api/users/coach/posts', () => ({ items: [], nextCursor: null }));
  gateway.on('PUT /api/users/coach/follow', () => ({ following: true, followerCount: 1 }));
});
afterEach(async () => {
  await act(() => session.signOut());
  act(clearFeedback);
  cleanup();
});

function visit(path: string) {
  history.replaceState(null, '', path);
  act(() => {
    session.signIn(aSession('token'));
    session.forceSignOut();
    clearFeedback();
  });
  render(<App />);
}

const login = () => screen.findByRole('heading', { level: 1, name: 'Sign in to your account' });
const signIn = () => act(() => session.signIn(aSession('token')));
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }));
const choose = async (name: string) => {
  const dialog = await screen.findByRole('alertdialog', { name: 'Login Required' });
  const link = [...dialog.querySelectorAll('a')].find(({ textContent }) => textContent === name)!;
  await userEvent.click(link);
};

// Rule: UI-4
describe('after a login', () => {
  it('that a page asked for, the user is on that page', async () => {
    visit('/profile');
    await login();
    expect(location.search).toBe('');
    signIn();
    expect(await screen.findByRole('heading', { name: 'My Posts' })).toBeTruthy();
    expect(location.pathname).toBe('/profile');
  });

  it('from the bar the user is on the feed, whatever was asked for before', async () => {
    visit('/profile');
    await login();
    await userEvent.click(screen.getByRole('link', { name: 'Coaches' }));
    await screen.findByRole('heading', { name: 'Fitness Coaches' });
    await userEvent.click(screen.getByRole('link', { name: 'Login' }));
    await login();
    signIn();
    expect(await screen.findByRole('heading', { name: 'Social Feed' })).toBeTruthy();
    expect(location.pathname).toBe('/feed');
  });

  it('from the side column the user is on the page beside it', async () => {
    visit('/post/p1');
    const side = await screen.findByRole('complementary');
    await userEvent.click(within(side).getByRole('link', { name: 'Login' }));
    await login();
    signIn();
    await screen.findByRole('article');
    expect(location.pathname).toBe('/post/p1');
  });

  it('that a like asked for, also by way of the sign-up, the post is back and liked, once', async () => {
    visit('/post/p1');
    await press(/^Like/);
    await choose('Login');
    await login();
    await userEvent.click(screen.getByRole('link', { name: 'Create a new account' }));
    await screen.findByRole('heading', { name: 'Create your account' });
    signIn();
    await screen.findByRole('button', { name: /^Liked/ });
    expect(location.pathname).toBe('/post/p1');
    await waitFor(() => expect(gateway.calls).toContain('PUT /api/posts/p1/like'));

    await userEvent.click(screen.getByRole('link', { name: 'Coaches' }));
    await screen.findByRole('heading', { name: 'Fitness Coaches' });
    await act(async () => history.back());
    await screen.findByRole('article');
    expect(gateway.calls.filter((call) => call === 'PUT /api/posts/p1/like')).toHaveLength(1);
  });

  it('that a like in a list asked for, its post is scrolled to and has the focus; of a comment, that comment', async () => {
    const scrolledTo: Element[] = [];
    Element.prototype.scrollIntoView = function scrolled() {
      scrolledTo.push(this);
    };
    const items = [aPost({ id: 'p0' }), aPost({ commentCount: 1 })];
    gateway.on('GET /api/users/coach/posts', () => ({ items, nextCursor: null }));
    gateway.on('GET /api/posts/p1/comments', () => ({ items: [aComment()], nextCursor: null }));
    gateway.on('PUT /api/comments/c1/like', () => ({ liked: true, likeCount: 1 }));
    const second = async () => (await screen.findAllByRole('article'))[1]!;

    visit('/profile/coach');
    await userEvent.click(within(await second()).getByRole('button', { name: /^Like/ }));
    await choose('Login');
    await login();
    signIn();
    const liked = await screen.findByRole('button', { name: /^Liked/ });
    await waitFor(() => expect(document.activeElement).toBe(liked.closest('article')));
    expect(liked.closest('article')?.dataset.post).toBe('p1');
    expect(scrolledTo).toContain(liked.closest('article'));

    act(() => session.forceSignOut());
    cleanup();
    visit('/profile/coach');
    await userEvent.click(within(await second()).getByRole('button', { name: /^Comment/ }));
    const comment = () => screen.findByRole('listitem', { name: 'Comment by Ana' });
    await userEvent.click(within(await comment()).getByRole('button', { name: /^Like/ }));
    await choose('Login');
    await login();
    signIn();
    await waitFor(() => expect(gateway.calls).toContain('PUT /api/comments/c1/like'));
    expect(document.activeElement).toBe(await comment());
    expect(scrolledTo).toContain(await comment());
  });

  it('that Follow asked for, the profile is back and followed', async () => {
    visit('/profile/coach');
    await press('Follow');
    await choose('Sign Up');
    await screen.findByRole('heading', { name: 'Create your account' });
    signIn();
    const following = await screen.findByRole('button', { name: 'Following' });
    await waitFor(() => expect(document.activeElement).toBe(following));
    await waitFor(() => expect(gateway.calls).toContain('PUT /api/users/coach/follow'));
  });

  it('no other site is gone to', () => {
    for (const path of ['//example.com', '/\\example.com', 'https://example.com', 'javascript:alert(1)']) {
      rememberWayBack(path);
      expect(wayBack()).toBeUndefined();
    }
    rememberWayBack('/coaches?q=yoga');
    expect(wayBack()).toBe('/coaches?q=yoga');
  });
});
