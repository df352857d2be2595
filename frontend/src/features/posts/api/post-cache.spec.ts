import { describe, expect, it } from '@jest/globals';
import { aPost } from '../../../../test/a-post.js';
import { changeCached, inOrder, withCommentCount, withLike } from './post-cache.js';
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
