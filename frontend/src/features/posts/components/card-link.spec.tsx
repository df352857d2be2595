import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useLocation } from 'react-router-dom';
import { aPost } from '../../../../test/a-post.js';
import { fakeGateway } from '../../../../test/fake-gateway.js';
import { aPageAround } from '../../../../test/render.js';
import { useFeed } from '../api/get-feed.js';
import { PostCard } from './post-card.js';
import { PostList } from './post-list.js';

const opened = jest.fn<typeof window.open>(() => null);

beforeEach(() => {
  window.open = opened;
  opened.mockClear();
  const gateway = fakeGateway();
  gateway.on('GET /api/posts/p1/comments', () => ({ items: [], nextCursor: null }));
  gateway.on('GET /api/feed', () => ({ items: [aPost()], nextCursor: null }));
});
afterEach(() => {
  getSelection()?.removeAllRanges();
  cleanup();
});

function Here() {
  return <output>{useLocation().pathname}</output>;
}

function show(detailed = false) {
  render(
    <>
      <PostCard post={aPost({ likeCount: 2 })} detailed={detailed} onShowLikes={() => undefined} />
      <Here />
    </>,
    { wrapper: aPageAround().wrapper },
  );
  return screen.getByRole('article');
}

const here = () => screen.getByRole('status').textContent;

// Rule: UI-57
describe('a press on a card', () => {
  it('opens its post, on the free area and on the text', async () => {
    await userEvent.click(show());
    expect(here()).toBe('/post/p1');
    cleanup();
    show();
    await userEvent.click(screen.getByText('Five sets of five'));
    expect(here()).toBe('/post/p1');
  });

  it.each(['Like', '2 likes', 'Comment', 'Post menu'])('on %s does what that does', async (name) => {
    show();
    await userEvent.click(screen.getByRole('button', { name }));
    expect(here()).toBe('/');
  });

  it('on its menu, or that only closes the menu, does not', async () => {
    const card = show();
    await userEvent.click(screen.getByRole('button', { name: 'Post menu' }));
    await userEvent.click(await screen.findByRole('menu'));
    expect(here()).toBe('/');
    await userEvent.click(card);
    expect(here()).toBe('/');
  });

  it('in its conversation does not', async () => {
    show();
    await userEvent.click(screen.getByRole('button', { name: 'Comment' }));
    await userEvent.click(screen.getByRole('region', { name: 'Comments' }));
    await userEvent.click(await screen.findByText('No comments yet.'));
    expect(here()).toBe('/');
  });

  it('does not when it selected text', () => {
    const card = show();
    getSelection()?.selectAllChildren(screen.getByText('Five sets of five'));
    fireEvent.click(card);
    expect(here()).toBe('/');
  });

  it('with Ctrl, Cmd or the middle button opens it in a tab of its own, and with others nothing', () => {
    const card = show();
    fireEvent.click(card, { ctrlKey: true });
    fireEvent.click(card, { metaKey: true });
    fireEvent(card, new MouseEvent('auxclick', { bubbles: true, button: 1 }));
    expect(opened.mock.calls).toEqual(Array.from({ length: 3 }, () => ['/post/p1', '_blank', 'noopener']));
    fireEvent.click(card, { shiftKey: true });
    fireEvent.click(card, { altKey: true });
    fireEvent(card, new MouseEvent('auxclick', { bubbles: true, button: 2 }));
    fireEvent(
      screen.getByRole('button', { name: 'Like' }),
      new MouseEvent('auxclick', { bubbles: true, button: 1 }),
    );
    expect(opened).toHaveBeenCalledTimes(3);
    expect(here()).toBe('/');
  });

  it('does nothing on the post’s own page', async () => {
    const card = show(true);
    await userEvent.click(card);
    card.focus();
    await userEvent.keyboard('{Enter}');
    expect(here()).toBe('/');
  });
});

// Rule: UI-45
describe('by keyboard', () => {
  function Feed() {
    return (
      <>
        <PostList label="Posts" query={useFeed()} empty="No posts" />
        <Here />
      </>
    );
  }

  it.each(['o', '{Enter}'])('%s opens the post that has the focus', async (key) => {
    render(<Feed />, { wrapper: aPageAround().wrapper });
    const card = await screen.findByRole('article');
    await userEvent.keyboard(key);
    expect(here()).toBe('/');
    card.focus();
    await userEvent.keyboard(key);
    expect(here()).toBe('/post/p1');
  });

  it('Enter on a control of the card is its own', async () => {
    render(<Feed />, { wrapper: aPageAround().wrapper });
    (await screen.findByRole('button', { name: /^Comment/ })).focus();
    await userEvent.keyboard('{Enter}');
    expect(screen.getByRole('region', { name: 'Comments' })).toBeTruthy();
    expect(here()).toBe('/');
  });
});
