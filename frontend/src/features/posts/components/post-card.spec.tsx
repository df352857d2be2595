import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { aPost } from '../../../../test/a-post.js';
import { fakeGateway, problem } from '../../../../test/fake-gateway.js';
import type { FakeGateway } from '../../../../test/fake-gateway.js';
import { aPageAround } from '../../../../test/render.js';
import { clearFeedback, getFeedback } from '../../../components/feedback/feedback-store.js';
import { useFeed } from '../api/get-feed.js';
import { PostCard } from './post-card.js';
import { PostList } from './post-list.js';

let gateway: FakeGateway;
beforeEach(() => {
  gateway = fakeGateway();
});
afterEach(() => {
  cleanup();
  clearFeedback();
});

function Feed() {
  return <PostList label="Posts" query={useFeed()} empty="No posts" />;
}

// Rule: POST-13
describe('the comments of a post that is gone', () => {
  it('say so, and its card leaves the list', async () => {
    const items = [aPost(), aPost({ id: 'p2', author: { ...aPost().author, name: 'Cleo' } })];
    gateway.on('GET /api/feed', () => ({ items, nextCursor: null }));
    render(<Feed />, { wrapper: aPageAround().wrapper });
    const [comment] = await screen.findAllByRole('button', { name: /Comment/ });
    await userEvent.click(comment!);
    await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(1));
    expect(screen.getByRole('article', { name: /Cleo/ })).toBeTruthy();
    expect(getFeedback().toasts).toMatchObject([{ message: 'Post not found' }]);
  });

  it('are asked for again when they only did not load', async () => {
    gateway.on('GET /api/posts/p1/comments', () => problem(500, 'internal'));
    render(<PostCard post={aPost()} detailed />, { wrapper: aPageAround().wrapper });
    expect(await screen.findByRole('button', { name: 'Try again' })).toBeTruthy();
    expect(getFeedback().toasts).toEqual([]);
  });
});

// Rule: UI-19
describe('the menu of a post', () => {
  const entries = async (detailed: boolean) => {
    gateway.on('GET /api/posts/p1/comments', () => ({ items: [], nextCursor: null }));
    render(<PostCard post={aPost()} detailed={detailed} />, { wrapper: aPageAround().wrapper });
    await userEvent.click(screen.getByRole('button', { name: 'Post menu' }));
    return (await screen.findAllByRole('menuitem')).map((item) => item.textContent);
  };

  it('leads to its conversation from a list, and not from there to itself', async () => {
    expect(await entries(false)).toEqual(['Copy link', 'View full conversation']);
    cleanup();
    expect(await entries(true)).toEqual(['Copy link']);
  });
});
