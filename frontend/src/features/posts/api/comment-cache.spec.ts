import { describe, expect, it } from '@jest/globals';
import { aComment } from '../../../../test/a-post.js';
import { appendComment, changeComment, listComments } from './comment-cache.js';
import type { CommentPages } from './comment-cache.js';

const pages = (...ids: string[][]): CommentPages => ({
  pages: ids.map((page) => ({ items: page.map((id) => aComment({ id })), nextCursor: null })),
  pageParams: ids.map(() => undefined),
});
const ids = (list: CommentPages) => listComments(list).map(({ id }) => id);

describe('the comments of a post', () => {
  it('get a new one at their end', () =>
    expect(ids(appendComment(pages(['a'], ['b']), aComment({ id: 'new' }))!)).toEqual(['a', 'b', 'new']));

  it('show one that a later page brings again where that page has it', () =>
    expect(ids(pages(['a', 'new'], ['b', 'new']))).toEqual(['a', 'b', 'new']));

  it('have one replaced or taken out', () => {
    const replaced = changeComment(pages(['a', 'pending']), 'pending', () => aComment({ id: 'real' }));
    expect(ids(replaced!)).toEqual(['a', 'real']);
    expect(ids(changeComment(pages(['a', 'b']), 'a', () => undefined)!)).toEqual(['b']);
  });

  it('are left alone while they are not loaded', () => {
    expect(appendComment(undefined, aComment())).toBeUndefined();
    expect(changeComment(undefined, 'a', () => undefined)).toBeUndefined();
  });
});
