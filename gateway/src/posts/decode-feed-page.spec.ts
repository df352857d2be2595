import { type Post, PostPage, Visibility } from '@pulso/contracts/posts/v1/posts';
import { readFeedPage, readFeedPageParts } from './decode-feed-page.js';
import { PostJson } from './post-json.js';
import { toPostPage } from './to-post.js';

const post = (fields: Partial<Post>): Post => ({
  id: '0192f0c1-2b3c-7def-8123-456789abcdef',
  author: {
    id: '0192f0c1-2b3c-7def-8123-000000000001',
    name: 'Ana 💪',
    username: 'ana',
    profileImageId: '',
    isCoach: true,
    subscriptionPriceMinor: 40_000,
    subscriptionCurrency: 'MXN',
  },
  content: '"quotes" ñ ☕ \u2028',
  truncated: false,
  images: [],
  imageCount: 0,
  hasVideo: false,
  visibility: Visibility.VISIBILITY_PUBLIC,
  likeCount: 3,
  likedByViewer: false,
  commentCount: 0,
  createdAt: 1_700_000_000_000,
  updatedAt: 1_700_000_000_001,
  editedAt: undefined,
  locked: false,
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
