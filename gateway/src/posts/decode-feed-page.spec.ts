import { type Post, PostPage } from '@pulso/contracts/posts/v1/posts';
import { anAuthor, aPost, TIME } from '../../test/support/fake-shapes.js';
import { readFeedPage, readFeedPageParts } from './decode-feed-page.js';
import { PostJson } from './post-json.js';
import { toPostPage } from './to-post.js';

const post = (fields: Partial<Post>): Post =>
  aPost({
    author: anAuthor({ name: 'Ana 💪' }),
    content: '"quotes" ñ ☕ \u2028',
    likedByViewer: false,
    commentCount: 0,
    updatedAt: TIME + 1,
    permissions: { edit: false, delete: false, like: true, comment: true },
    ...fields,
  });

describe('a page of the feed', () => {
  const pages: [string, PostPage][] = [
    ['empty', { items: [], nextCursor: '' }],
    ['the last', { items: [post({})], nextCursor: '' }],
    [
      'one of many',
      { items: [post({}), post({ likedByViewer: true, likeCount: 4 })], nextCursor: 'k.abc.def' },
    ],
  ];

  it.each(pages)('%s: is the text that decoding it gives', (_name, page) => {
    const json = new PostJson();
    const bytes = PostPage.encode(page).finish();
    const parts = [
      ...page.items.map((item) => PostPage.encode({ items: [item], nextCursor: '' }).finish()),
      ...(page.nextCursor === ''
        ? []
        : [PostPage.encode({ items: [], nextCursor: page.nextCursor }).finish()]),
    ];
    for (const encoded of [
      readFeedPage(bytes),
      readFeedPage(bytes),
      readFeedPageParts(parts),
      readFeedPageParts(parts),
    ]) {
      expect(json.page(encoded).toString()).toBe(JSON.stringify(toPostPage(page)));
    }
  });

  it('skips fields of a newer contract', () => {
    const newer = Buffer.from([...PostPage.encode(pages[2]![1]).finish(), 0x98, 0x06, 0x01]);
    expect(readFeedPage(newer).posts).toHaveLength(2);
  });
});
