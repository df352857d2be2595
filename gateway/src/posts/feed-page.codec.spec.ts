import { type Post, PostPage, Visibility } from '@pulso/contracts/posts/v1/posts';
import { readFeedPage } from './feed-page.codec.js';
import { PostTexts } from './post-texts.js';
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
    const texts = new PostTexts();
    const encoded = readFeedPage(PostPage.encode(page).finish());
    for (let time = 1; time <= 2; time += 1) {
      expect(texts.page(encoded)).toBe(JSON.stringify(toPostPage(page)));
    }
  });

  it('skips fields of a newer contract', () => {
    const newer = Buffer.from([...PostPage.encode(pages[2]![1]).finish(), 0x98, 0x06, 0x01]);
    expect(readFeedPage(newer).items).toHaveLength(2);
  });
});
