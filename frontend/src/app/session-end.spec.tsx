import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { aMe, aProfile, aSession } from '../../test/a-post.js';
import { fakeGateway, problem } from '../../test/fake-gateway.js';
import type { FakeGateway } from '../../test/fake-gateway.js';
// With the suite: Jest cannot link two modules at once that are imported while it runs.
import '../server/queries/queries.js';
import { PHONE } from '../components/back-closes.js';
import { clearFeedback } from '../components/feedback/feedback-store.js';
import { session } from '../server/session/session.js';
import { App } from './app.js';
import { followSession } from './follow-session.js';

const SIGNED_OUT = 'You have been signed out. Please sign in again.';

let finishCall: () => void;

/** As in browsers: the head of an answer ends the session, and the call fails later, when its body has been read. */
function over(): Response {
  const answer = problem(401, 'user-token-expired');
  const finished = new Promise<void>((resolve) => (finishCall = resolve));
  answer.text = () => finished.then(() => Response.prototype.text.call(answer));
  return answer;
}

let gateway: FakeGateway;
beforeAll(() => {
  window.scrollTo = () => undefined;
  followSession();
});
beforeEach(() => {
  gateway = fakeGateway();
  gateway.on('POST /api/posts', over);
  gateway.on('PUT /api/coaches/coach/reviews/mine', over);
  gateway.on('POST /api/auth/logout', () => new Response(null, { status: 204 }));
  gateway.on('GET /api/feed', () => ({ items: [], nextCursor: null }));
  gateway.on('GET /api/users/coach', () => aProfile());
  gateway.on('GET /api/users/coach/posts', () => ({ items: [], nextCursor: null }));
  gateway.on('GET /api/coaches/coach/reviews', () => ({
    items: [],
    nextCursor: null,
    summary: { averageRating: 0, totalReviews: 0 },
    mine: null,
  }));
});
afterEach(async () => {
  await act(() => session.signOut());
  act(clearFeedback);
  cleanup();
});

const signIn = (id: string) => act(() => session.signIn(aSession('token', { user: aMe({ id }) })));

function open(path: string) {
  history.replaceState(null, '', path);
  signIn('ben');
  render(<App />);
}

const post = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Your post' });

async function loseThePost() {
  open('/feed');
  await userEvent.type(await post(), 'Five sets of five');
  await userEvent.click(screen.getByRole('button', { name: 'Post' }));
  await screen.findByText(SIGNED_OUT);
  await act(async () => finishCall());
}

describe('a post sent in a session that the server has ended', () => {
  it('leads to the login page, which says so once and nothing of a failure', async () => {
    await loseThePost();
    expect(location.pathname).toBe('/login');
    expect(screen.getAllByText(SIGNED_OUT)).toHaveLength(1);
    expect(screen.queryByText(/^Failed to/)).toBeNull();
  });

  it('is there again when the same user signs in, and not for another', async () => {
    await loseThePost();
    signIn('ben');
    expect((await post()).value).toBe('Five sets of five');
    act(() => session.forceSignOut());
    await screen.findByRole('button', { name: 'Sign in' });
    signIn('ana');
    expect((await post()).value).toBe('');
  });
});

// Rule: UI-3, UI-36
describe('a session that ends while a dialog covers a phone', () => {
  const realMatchMedia = globalThis.matchMedia;
  beforeEach(() => {
    globalThis.matchMedia = (query) => ({ ...realMatchMedia(query), matches: query === PHONE });
    gateway.on('GET /api/users/ben', () => aProfile({ id: 'ben' }));
    gateway.on('GET /api/users/ben/posts', () => ({ items: [], nextCursor: null }));
  });
  afterEach(() => {
    globalThis.matchMedia = realMatchMedia;
  });

  const inDialogEntry = () => (history.state as { usr?: { dialog?: number } } | null)?.usr?.dialog;

  async function write() {
    open('/feed');
    await userEvent.click(await screen.findByRole('button', { name: /How did your training go/ }));
    await userEvent.type(await post(), 'Five sets of five');
    await waitFor(() => expect(inDialogEntry()).toBeDefined());
  }

  it('leads to the login page, which leads back to the text', async () => {
    await write();
    await act(async () => session.forceSignOut());
    expect(await screen.findByRole('button', { name: 'Sign in' })).toBeTruthy();
    expect(location.pathname).toBe('/login');
    signIn('ben');
    await userEvent.click(await screen.findByRole('button', { name: /Five sets of five/ }));
    expect((await post()).value).toBe('Five sets of five');
    await waitFor(() => expect(inDialogEntry()).toBeDefined());
    await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(inDialogEntry()).toBeUndefined());
  });
});

async function beginReview() {
  open('/profile/coach');
  await userEvent.click(await screen.findByRole('tab', { name: 'Reviews' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Write a Review' }));
  await userEvent.type(screen.getByRole('textbox', { name: 'Your review' }), 'Patient');
}

describe('a review sent in a session that the server has ended', () => {
  it('stays on its tab, says so, and has the text again', async () => {
    await beginReview();
    await userEvent.click(screen.getByRole('button', { name: 'Submit Review' }));
    await screen.findByText(SIGNED_OUT);
    await act(async () => finishCall());
    await screen.findByText(/to review this coach/);
    expect(screen.getByRole('tab', { name: 'Reviews' }).getAttribute('aria-selected')).toBe('true');
    expect(screen.queryByRole('textbox', { name: 'Your review' })).toBeNull();
    expect(screen.queryByText(/^Failed to/)).toBeNull();

    signIn('ben');
    const review = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Your review' });
    expect(review.value).toBe('Patient');
    await waitFor(() => expect(screen.queryByText(SIGNED_OUT)).toBeNull());
  });

  it('that is only being written is kept on another tab', async () => {
    await beginReview();
    await userEvent.click(screen.getByRole('tab', { name: 'Posts' }));
    await userEvent.click(screen.getByRole('tab', { name: 'Reviews' }));
    const review = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Your review' });
    expect(review.value).toBe('Patient');
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Write a Review' }));
    expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Your review' }).value).toBe('');
  });
});
