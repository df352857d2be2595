import { newIdAt } from '@pulso/platform/ids/uuid-v7';
import { ManualClock } from '@pulso/platform/testing/manual-clock';
import { FeedIndex } from '../feed-index/feed-index.js';
import type { PostRepository } from '../store/post.repository.js';
import type { PostDocument } from '../store/post.schema.js';
import { LivePosts } from './live-posts.js';

const NOW = Date.UTC(2026, 10, 20);
const AUTHOR = newIdAt(NOW);

function aPost(fields: Partial<PostDocument> = {}): PostDocument {
  const at = new Date(NOW - 1_000);
  return {
    _id: newIdAt(at.getTime()),
    authorId: AUTHOR,
    content: 'x',
    visibility: 'public',
    likeCount: 0,
    commentCount: 0,
    createdAt: at,
    updatedAt: at,
    live: true,
    version: 1,
    changedAt: at,
    ...fields,
  };
}

/** Live posts over a store that holds `stored`; when held, reads wait for `release`. */
function over(...stored: PostDocument[]) {
  const gates: (() => void)[] = [];
  const held = { now: false };
  const posts = {
    async findAll(ids: readonly string[]) {
      const found = stored.filter(({ _id, live }) => live && ids.includes(_id)).map((post) => ({ ...post }));
      if (held.now) await new Promise<void>((resolve) => gates.push(resolve));
      return found;
    },
  } as PostRepository;
  const live = new LivePosts(posts, new FeedIndex(), new ManualClock(NOW));
  const ids = () => {
    const view = live.index.compileViewer({ viewerId: AUTHOR, following: [], subscribed: [], blocked: [] });
    return live.index.page(view, { asOf: NOW, limit: 100 }).items.map(({ id }) => id);
  };
  return { live, ids, held, release: () => gates.forEach((open) => open()) };
}

describe('LivePosts', () => {
  it('keeps the newest version, for changes in any order', async () => {
    const post = aPost();
    const { live, ids } = over();
    const edited = { ...post, version: 2, content: 'y' };
    const deleted = { ...post, version: 3, live: false, content: '' };
    live.apply(edited);
    live.apply(post);
    expect((await live.cachedPosts([post._id]))[0]).toMatchObject({ post: { version: 2, content: 'y' } });
    live.applyChanges([deleted], false);
    live.applyChanges([edited, post], false);
    live.apply(edited);
    expect(ids()).toEqual([]);
    expect(await live.cachedPosts([post._id])).toEqual([undefined]);
  });

  it('reloads a body when the tail reports a change', async () => {
    const post = aPost();
    const stored = { ...post };
    const { live } = over(stored);
    live.apply(post);
    Object.assign(stored, { version: 2, likeCount: 7 });
    expect((await live.cachedPosts([post._id]))[0]).toMatchObject({ post: { likeCount: 0 } });
    live.applyChanges([stored], false);
    expect((await live.cachedPosts([post._id]))[0]).toMatchObject({ post: { likeCount: 7 } });
  });

  it('does not cache a body that changed while it was read', async () => {
    const post = aPost();
    const stored = { ...post };
    const { live, held, release } = over(stored);
    live.applyChanges([post], true);
    held.now = true;
    const reading = live.cachedPosts([post._id]);
    Object.assign(stored, { version: 2, content: 'y' });
    live.applyChanges([stored], false);
    release();
    await reading;
    held.now = false;
    expect((await live.cachedPosts([post._id]))[0]).toMatchObject({ post: { content: 'y' } });
  });

  it('returns synchronously when everything is cached', () => {
    const [first, second] = [aPost(), aPost()];
    const { live } = over(first, second);
    live.apply(first);
    live.apply(second);
    expect(live.cachedPosts([second._id, first._id])).toMatchObject([
      { post: { _id: second._id } },
      { post: { _id: first._id } },
    ]);
  });

  it('ranks with the clock, or with a replica’s clock that is a little ahead', () => {
    const { live } = over();
    expect(live.now()).toBe(NOW);
    live.apply(aPost({ _id: newIdAt(NOW + 3_600_000) }));
    expect(live.now()).toBe(NOW);
    const { live: other } = over();
    other.apply(aPost({ _id: newIdAt(NOW + 50) }));
    expect(other.now()).toBe(NOW + 50);
  });
});
