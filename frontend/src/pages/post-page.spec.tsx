import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, render, screen } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { aPost, aSession } from '../../test/a-post.js';
import { fakeGateway, problem } from '../../test/fake-gateway.js';
import type { FakeGateway } from '../../test/fake-gateway.js';
import { aPageAround } from '../../test/render.js';
import { AUTO_CLOSE, clearFeedback, getFeedback } from '../components/feedback/feedback-store.js';
import { session } from '../server/session/session.js';
import PostPage, { titleOf } from './post-page.js';

let gateway: FakeGateway;
beforeEach(() => {
  gateway = fakeGateway();
  gateway.on('POST /api/auth/logout', () => new Response(null, { status: 204 }));
  jest.useFakeTimers();
});
afterEach(async () => {
  jest.useRealTimers();
  await act(() => session.signOut());
  act(clearFeedback);
  cleanup();
});

async function visit() {
  render(
    <Routes>
      <Route path="/post/:postId" element={<PostPage />} />
      <Route path="/feed" element={<p>The feed</p>} />
    </Routes>,
    { wrapper: aPageAround({ path: '/post/gone' }).wrapper },
  );
  await act(() => jest.advanceTimersByTimeAsync(0));
}

const toasts = () => getFeedback().toasts.map(({ message }) => message);

// Rule: UI-24
describe('a post that is not there', () => {
  it('is said, and leads signed-in users to the feed', async () => {
    act(() => session.signIn(aSession('token')));
    await visit();
    expect(screen.getByRole('heading', { name: 'Post Not Found' })).toBeTruthy();
    expect(toasts()).toEqual(['Post not found']);
    await act(() => jest.advanceTimersByTimeAsync(AUTO_CLOSE));
    expect(screen.getByText('The feed')).toBeTruthy();
  });

  it('leaves visitors where they are, with a way home', async () => {
    act(() => session.forceSignOut());
    await visit();
    await act(() => jest.advanceTimersByTimeAsync(2 * AUTO_CLOSE));
    expect(screen.getByRole('link', { name: 'Go to the home page' }).getAttribute('href')).toBe('/');
  });

  it('is told from one that did not load', async () => {
    act(() => session.signIn(aSession('token')));
    gateway.on('GET /api/posts/gone', () => problem(500, 'internal'));
    await visit();
    expect(toasts()).toEqual(['Failed to load post']);
    await act(() => jest.advanceTimersByTimeAsync(AUTO_CLOSE));
    expect(screen.getByText('The feed')).toBeTruthy();
  });
});

// Rule: UI-54
describe('the title of a post’s page', () => {
  it.each([
    ['Five sets of five', 'Ana: Five sets of five'],
    [' Five\n\nsets ', 'Ana: Five sets'],
    ['💪🏽'.repeat(61), `Ana: ${'💪🏽'.repeat(60)}…`],
    // A direction that does not end, and one that does.
    ['Buy \u202eevil', 'Ana: Buy evil'],
    ['\u2067one\u2069 two', 'Ana: \u2067one\u2069 two'],
    ['', 'Post by Ana'],
  ])('of %j is %j', (content, title) => expect(titleOf(aPost({ content }), 'Post by Ana')).toBe(title));

  // Rule: POST-6
  it('tells that a text goes on which only subscribers may read', () => {
    const locked = aPost({ content: 'Squats at 80', truncated: true });
    expect(titleOf(locked, 'Post by Ana')).toBe('Ana: Squats at 80…');
    const long = aPost({ content: 'x'.repeat(60), truncated: true });
    expect(titleOf(long, 'Post by Ana')).toBe(`Ana: ${'x'.repeat(60)}…`);
  });

  it('is the only one', async () => {
    document.head.innerHTML = '<title>Pulso</title>';
    gateway.on('GET /api/posts/gone', () => aPost());
    gateway.on('GET /api/posts/p1/comments', () => ({ items: [], nextCursor: null }));
    await visit();
    expect([...document.querySelectorAll('title')].map(({ textContent }) => textContent)).toEqual([
      'Ana: Five sets of five · Pulso',
    ]);
    cleanup();
    expect(document.title).toBe('Pulso');
  });
});
