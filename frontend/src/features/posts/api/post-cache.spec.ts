import { describe, expect, it } from '@jest/globals';
import { aPost } from '../../../../test/a-post.js';
import type { Post } from '../../../api/types.js';
import { changeCached, inOrder, putBack, withCommentCount, withLike } from './post-cache.js';
import type { PostPages } from './post-cache.js';

const pages = (...ids: string[][]): PostPages => ({
  pages: ids.map((page, index) => ({
    items: page.map((id) => aPost({ id })),
    nextCursor: index === ids.length - 1 ? null : String(index),
  })),
  pageParams: ids.map((_, index) => (index ? String(index - 1) : undefined)),
});
const ids = (posts: { id: string }[]) => posts.map(({ id }) => id);

describe('inOrder', () => {
  it('keeps the server’s order', () =>
    expect(ids(inOrder(pages(['a', 'b'], ['c']).pages))).toEqual(['a', 'b', 'c']));

  it('puts pinned posts first, each once, also when the list brings them', () => {
    const pinned = [aPost({ id: 'new' }), aPost({ id: 'b' })];
    expect(ids(inOrder(pages(['a', 'b'], ['c']).pages, pinned))).toEqual(['new', 'b', 'a', 'c']);
  });

  it('shows the freshest copy of a pinned post', () => {
    const list = pages(['a']);
    list.pages[0]!.items[0] = aPost({ id: 'a', content: 'edited elsewhere' });
    expect(inOrder(list.pages, [aPost({ id: 'a', content: 'as posted' })])[0]?.content).toBe(
      'edited elsewhere',
    );
  });

  it('shows a post once that moved between two pages', () =>
    expect(ids(inOrder(pages(['a', 'b'], ['b', 'c']).pages))).toEqual(['a', 'b', 'c']));
});

describe('changeCached', () => {
  it('changes a post wherever it stands', () => {
    const change = () => aPost({ id: 'b', content: 'new' });
    const list = changeCached(pages(['a'], ['b', 'c']), 'b', change) as PostPages;
    expect(list.pages[1]?.items[0]?.content).toBe('new');
    expect(changeCached([aPost({ id: 'b' })], 'b', change)).toEqual([change()]);
    expect(changeCached(aPost({ id: 'b' }), 'b', change)).toEqual(change());
  });

  it('takes a post out', () => {
    const list = changeCached(pages(['a'], ['b', 'c']), 'b', () => undefined) as PostPages;
    expect(list.pages.map(({ items }) => ids(items))).toEqual([['a'], ['c']]);
  });

  it('leaves what does not hold the post untouched, so that nothing is drawn again', () => {
    const list = pages(['a'], ['c']);
    expect(changeCached(list, 'b', () => undefined)).toBe(list);
    expect(changeCached(undefined, 'b', () => undefined)).toBeUndefined();
  });
});

describe('putBack', () => {
  it('puts a post where it stood, whatever has come or gone since', () => {
    const before = pages(['a', 'b', 'c'], ['d']);
    const since = putBack(pages(['new', 'c'], ['d']), before, 'b') as PostPages;
    expect(since.pages.map(({ items }) => ids(items))).toEqual([['new', 'b', 'c'], ['d']]);
    const last = putBack(pages(['a'], ['e']), before, 'd') as PostPages;
    expect(last.pages.map(({ items }) => ids(items))).toEqual([['a'], ['e', 'd']]);
    const pinned = [aPost({ id: 'a' }), aPost({ id: 'b' })];
    expect(ids(putBack([aPost({ id: 'b' })], pinned, 'a') as Post[])).toEqual(['a', 'b']);
  });

  it('keeps to the pages there are', () => {
    const one = putBack(pages(['a']), pages(['a'], ['b']), 'b') as PostPages;
    expect(one.pages.map(({ items }) => ids(items))).toEqual([['a', 'b']]);
  });

  it('leaves alone what has it again, or never had it', () => {
    const list = pages(['a', 'b']);
    expect(putBack(list, pages(['b', 'a']), 'b')).toBe(list);
    expect(putBack(list, pages(['a']), 'c')).toBe(list);
    expect(putBack(undefined, list, 'a')).toBeUndefined();
    const post = aPost({ id: 'a' });
    expect(putBack(post, aPost({ id: 'a' }), 'a')).toBe(post);
  });
});

describe('counts', () => {
  it('follow the viewer’s like, once', () => {
    const liked = withLike(aPost({ likeCount: 2 }), true);
    expect(liked).toMatchObject({ likedByViewer: true, likeCount: 3 });
    expect(withLike(liked, true)).toBe(liked);
    expect(withLike(liked, false)).toMatchObject({ likedByViewer: false, likeCount: 2 });
  });

  it('never fall below 0', () => {
    expect(withLike(aPost({ likeCount: 0, likedByViewer: true }), false).likeCount).toBe(0);
    expect(withCommentCount(aPost({ commentCount: 0 }), -1).commentCount).toBe(0);
  });
});
