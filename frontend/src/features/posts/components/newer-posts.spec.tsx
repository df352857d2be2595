import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { Link } from 'react-router-dom';
import { aPost } from '../../../../test/a-post.js';
import { fakeGateway, problem } from '../../../../test/fake-gateway.js';
import type { FakeGateway } from '../../../../test/fake-gateway.js';
import { aPageAround } from '../../../../test/render.js';
import { clearFeedback, getFeedback } from '../../../components/feedback/feedback-store.js';
import { useFeed } from '../api/get-feed.js';
import { NewerPosts } from './newer-posts.js';
import { PostList } from './post-list.js';

let gateway: FakeGateway;
let items: string[];
beforeEach(() => {
  jest.useFakeTimers();
  window.scrollTo = () => undefined;
  gateway = fakeGateway();
  items = ['a', 'b'];
  gateway.on('GET /api/feed', () => ({
    items: items.map((id) => aPost({ id, content: id })),
    nextCursor: null,
  }));
});
afterEach(() => {
  cleanup();
  clearFeedback();
  jest.useRealTimers();
});

function Feed() {
  const query = useFeed();
  return (
    <>
      <Link to="/">Feed</Link>
      {query.posts && <NewerPosts shown={query.posts} readAt={query.dataUpdatedAt} />}
      <PostList label="Posts" query={query} empty="No posts" />
    </>
  );
}

/** Lets `ms` pass, and what is answered then be shown. */
const pass = async (ms: number) => {
  await act(() => jest.advanceTimersByTimeAsync(ms));
  await act(() => jest.advanceTimersByTimeAsync(10));
};
const shown = () => screen.getAllByRole('article').map((post) => post.getAttribute('data-post'));
const pill = () => screen.queryByRole('button', { name: 'New posts' });

async function open() {
  render(<Feed />, { wrapper: aPageAround().wrapper });
  await pass(0);
  expect(gateway.calls).toHaveLength(1);
}

// Rule: FEED-11
describe('newer posts', () => {
  it('are asked about once a minute, announced, and come by a press', async () => {
    await open();
    await pass(60_000);
    expect(gateway.calls).toHaveLength(2);
    expect(pill()).toBeNull();

    items = ['new', 'a', 'b'];
    await pass(60_000);
    expect(pill()).not.toBeNull();
    expect(shown()).toEqual(['a', 'b']);
    fireEvent.click(pill()!);
    await pass(0);
    expect(shown()).toEqual(['new', 'a', 'b']);
    expect(pill()).toBeNull();
    expect(document.activeElement?.getAttribute('data-post')).toBe('new');
  });

  it('come when Feed is chosen on the feed', async () => {
    await open();
    items = ['new', 'a', 'b'];
    fireEvent.click(screen.getByRole('link', { name: 'Feed' }));
    await pass(0);
    expect(shown()).toEqual(['new', 'a', 'b']);
  });

  it('are not announced for a post that is gone, nor asked about in a hidden page', async () => {
    await open();
    items = ['b'];
    await pass(60_000);
    expect(pill()).toBeNull();
    const before = gateway.calls.length;
    const visibility = jest.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    await pass(180_000);
    expect(gateway.calls).toHaveLength(before);
    visibility.mockRestore();
  });

  it('leave the feed as it is, and say so, when they do not load', async () => {
    await open();
    items = ['new', 'a', 'b'];
    await pass(60_000);
    gateway.on('GET /api/feed', () => problem(503, 'unavailable'));
    fireEvent.click(pill()!);
    await pass(2000);
    expect(shown()).toEqual(['a', 'b']);
    expect(getFeedback().toasts).toMatchObject([{ type: 'error' }]);
  });

  // Rule: FEED-9
  it('are read only when there are some since the last reading', async () => {
    let count = 0;
    let readings = 0;
    const clocks: (string | null)[] = [];
    gateway.on('GET /api/feed', () => ({
      items: items.map((id) => aPost({ id, content: id })),
      nextCursor: `clock-${++readings}`,
    }));
    gateway.on('GET /api/feed/newer', ({ url }) => {
      clocks.push(new URL(url).searchParams.get('cursor'));
      return { count };
    });
    await open();
    await pass(60_000);
    expect([clocks, readings, pill()]).toEqual([['clock-1'], 1, null]);

    // One that is far down in the ranking.
    count = 1;
    await pass(60_000);
    expect([clocks.at(-1), readings, pill()]).toEqual(['clock-1', 2, null]);
    count = 0;
    await pass(60_000);
    expect([clocks.at(-1), readings, pill()]).toEqual(['clock-2', 2, null]);

    count = 1;
    items = ['new', 'a', 'b'];
    await pass(60_000);
    expect([readings, pill() !== null]).toEqual([3, true]);
    // What is announced is read again: its author may have deleted it.
    items = ['a', 'b'];
    await pass(60_000);
    expect([clocks.length, readings, pill()]).toEqual([4, 4, null]);
  });
});
