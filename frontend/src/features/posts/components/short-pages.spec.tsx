import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { cleanup, render, screen } from '@testing-library/react';
import { allInView } from '../../../../test/all-in-view.js';
import { aComment, aPost } from '../../../../test/a-post.js';
import { fakeGateway } from '../../../../test/fake-gateway.js';
import type { FakeGateway } from '../../../../test/fake-gateway.js';
import { aPageAround } from '../../../../test/render.js';
import { useFeed } from '../api/get-feed.js';
import { PostCard } from './post-card.js';
import { PostList } from './post-list.js';

let gateway: FakeGateway;
allInView();
beforeEach(() => {
  gateway = fakeGateway();
});
afterEach(cleanup);

/** Answers of pages: the cursor of each is its number, and only the last one has no next. */
const pages =
  <Item,>(...items: Item[][]) =>
  (request: Request) => {
    const page = Number(new URL(request.url).searchParams.get('cursor') ?? 0);
    return { items: items[page], nextCursor: page + 1 < items.length ? String(page + 1) : null };
  };

function Feed() {
  return <PostList label="Posts" query={useFeed()} empty="No posts" />;
}

// Rule: HTTP-5
describe('a list with short and empty pages', () => {
  it('of posts loads on', async () => {
    const post = (id: string, name: string) => aPost({ id, author: { ...aPost().author, name } });
    gateway.on('GET /api/feed', pages([], [], [post('p1', 'Ada')], [], [post('p2', 'Cleo')]));
    render(<Feed />, { wrapper: aPageAround().wrapper });
    expect(await screen.findByRole('article', { name: /Cleo/ })).toBeTruthy();
    expect(screen.getAllByRole('article')).toHaveLength(2);
    expect(screen.queryByText('No posts')).toBeNull();
  });

  it('of comments loads on over empty ones, and leaves the rest to a press', async () => {
    const comment = (id: string, content: string) => aComment({ id, content });
    const all = pages([], [], [comment('c1', 'first')], [comment('c2', 'second')]);
    gateway.on('GET /api/posts/p1/comments', all);
    render(<PostCard post={aPost()} detailed />, { wrapper: aPageAround().wrapper });
    expect(await screen.findByText('first')).toBeTruthy();
    expect(screen.queryByText('second')).toBeNull();
    expect(gateway.calls.filter((call) => call.endsWith('/comments'))).toHaveLength(3);
  });
});
