import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { aComment, aPost, aSession } from '../../../../test/a-post.js';
import { fakeGateway, problem } from '../../../../test/fake-gateway.js';
import type { FakeGateway } from '../../../../test/fake-gateway.js';
import { aPageAround } from '../../../../test/render.js';
import { clearFeedback, getFeedback } from '../../../components/feedback/feedback-store.js';
import { session } from '../../../server/session/session.js';
import { useFeed } from '../api/get-feed.js';
import { keepEdit, setCommentDraft } from '../drafts.js';
import { PostCard } from './post-card.js';
import { PostGlimpse } from './post-glimpse.js';
import { PostList } from './post-list.js';

let gateway: FakeGateway;
beforeEach(() => {
  gateway = fakeGateway();
});
afterEach(() => {
  cleanup();
  clearFeedback();
  session.forceSignOut();
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

// Rule: UI-33
it('a like that is saved takes the error of the one before away', async () => {
  act(() => session.signIn(aSession('token')));
  gateway.on('PUT /api/posts/p1/like', () => problem(500, 'internal'));
  render(<PostCard post={aPost()} />, { wrapper: aPageAround().wrapper });
  const like = screen.getByRole('button', { name: /Like/ });
  await userEvent.click(like);
  await waitFor(() => expect(getFeedback().toasts).toMatchObject([{ type: 'error' }]));
  gateway.on('PUT /api/posts/p1/like', () => ({ liked: true, likeCount: 1 }));
  await userEvent.click(like);
  await waitFor(() => expect(getFeedback().toasts).toEqual([]));
});

// Rule: UI-45
describe('Comment', () => {
  it('opens with the cursor in its box, at once, where no key is a shortcut; Escape leads back to the post', async () => {
    act(() => session.signIn(aSession('token')));
    // Never answered: the box does not wait for the comments.
    gateway.on('GET /api/posts/p1/comments', () => new Promise(() => undefined));
    gateway.on('GET /api/feed', () => ({ items: [aPost()], nextCursor: null }));
    render(<Feed />, { wrapper: aPageAround().wrapper });
    fireEvent.click(await screen.findByRole('button', { name: /^Comment/ }));
    const box = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Write a comment' });
    expect(document.activeElement).toBe(box);
    await userEvent.keyboard('jolly');
    expect(box.value).toBe('jolly');
    expect(gateway.calls.filter((call) => call.startsWith('PUT'))).toEqual([]);
    await userEvent.keyboard('{Escape}');
    expect(document.activeElement).toBe(screen.getByRole('article'));
    expect(box.value).toBe('jolly');

    screen.getByRole('article').querySelector<HTMLElement>('form button')!.focus();
    await userEvent.keyboard('l');
    expect(gateway.calls.filter((call) => call.startsWith('PUT'))).toEqual([]);
    act(() => setCommentDraft('ben', 'p1', ''));
  });
});

// Rule: UI-41
describe('what was begun and not sent', () => {
  const sign = (text: string) => screen.queryByText(text);
  beforeEach(() => act(() => session.signIn(aSession('token'))));

  it('as a comment shows on the card, whose box is closed', async () => {
    gateway.on('GET /api/posts/p1/comments', () => ({ items: [], nextCursor: null }));
    act(() => setCommentDraft('ben', 'p1', 'Well d'));
    render(<PostCard post={aPost()} />, { wrapper: aPageAround().wrapper });
    const button = screen.getByRole('button', { name: /^Comment.*Draft$/ });
    await userEvent.click(button);
    expect(screen.getByRole<HTMLTextAreaElement>('textbox').value).toBe('Well d');
    expect(sign('Draft')).toBeNull();
    await userEvent.clear(screen.getByRole('textbox'));
    await userEvent.click(button);
    expect(sign('Draft')).toBeNull();
  });

  it('as an edit shows beside the time', () => {
    act(() => keepEdit('ben', 'p1', { content: 'Six sets', visibility: 'public' }));
    render(<PostCard post={aPost()} />, { wrapper: aPageAround().wrapper });
    expect(sign('unsaved edit')).toBeTruthy();
    act(() => keepEdit('ben', 'p1', undefined));
    expect(sign('unsaved edit')).toBeNull();
  });
});

// Rule: POST-6, UI-46
it('a locked card says what it is, that nothing can be done now, and is described by its text only if there is one', () => {
  const locked = (content: string) => {
    render(<PostCard post={aPost({ locked: true, content, visibility: 'subscribers' })} />, {
      wrapper: aPageAround().wrapper,
    });
    const text = screen.getByRole('article').getAttribute('aria-describedby');
    return text === null ? null : document.getElementById(text)?.textContent;
  };
  expect(locked('The first words')).toBe('The first words');
  expect(screen.getByText(/^This post is for subscribers only/).textContent).toBe(
    'This post is for subscribers only. Subscribing is not available now.',
  );
  cleanup();
  expect(locked('')).toBeNull();
});

// Rule: SUBS-25
it('a locked card has the way to subscribe where there is one', () => {
  const post = aPost({ locked: true, content: 'The first words', visibility: 'subscribers' });
  const { wrapper } = aPageAround();
  render(<PostCard post={post} paywall={({ author }) => <button>Subscribe to {author.name}</button>} />, {
    wrapper,
  });
  expect(screen.getByText('This post is for subscribers only.')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Subscribe to Ana' })).toBeTruthy();
  cleanup();
  render(<PostCard post={{ ...post, locked: false }} paywall={() => <button>Subscribe</button>} />, {
    wrapper,
  });
  expect(screen.queryByRole('button', { name: 'Subscribe' })).toBeNull();
});

// Rule: UI-46
it('a list of posts names each by author and time, tells its place, and a like once', async () => {
  const items = [aPost(), aPost({ id: 'p2', likedByViewer: true, createdAt: '2026-01-01T10:00:00.000Z' })];
  gateway.on('GET /api/feed', () => ({ items, nextCursor: null }));
  render(<Feed />, { wrapper: aPageAround().wrapper });
  const second = await screen.findByRole('article', { name: /^Post by Ana Jan 1/ });
  expect(second.getAttribute('aria-posinset')).toBe('2');
  expect(second.getAttribute('aria-setsize')).toBe('2');
  expect(document.getElementById(second.getAttribute('aria-describedby')!)?.textContent).toBe(
    aPost().content,
  );
  const liked = screen.getByRole('button', { name: /^Liked/ });
  expect(liked.hasAttribute('aria-pressed')).toBe(false);
});

// Rule: UI-78
describe('what was imported says so beside its time', () => {
  const importedAt = '2026-11-28T10:00:00.000Z';

  it('a post', () => {
    render(<PostCard post={aPost({ importedAt })} />, { wrapper: aPageAround().wrapper });
    expect(screen.getByText('Imported')).toBeTruthy();
    cleanup();
    render(<PostCard post={aPost()} />, { wrapper: aPageAround().wrapper });
    expect(screen.queryByText('Imported')).toBeNull();
  });

  it('a post on the landing page', () => {
    render(<PostGlimpse post={aPost({ importedAt })} />, { wrapper: aPageAround().wrapper });
    expect(screen.getByText('· Imported')).toBeTruthy();
    cleanup();
    render(<PostGlimpse post={aPost()} />, { wrapper: aPageAround().wrapper });
    expect(screen.queryByText(/Imported/)).toBeNull();
  });

  it('a comment', async () => {
    const items = [aComment({ id: 'c1', importedAt }), aComment({ id: 'c2' })];
    gateway.on('GET /api/posts/p1/comments', () => ({ items, nextCursor: null }));
    render(<PostCard post={aPost({ commentCount: 2 })} detailed />, { wrapper: aPageAround().wrapper });
    expect(await screen.findAllByText(/Imported$/)).toHaveLength(1);
  });
});
