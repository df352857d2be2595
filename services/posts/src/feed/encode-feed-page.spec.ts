import { type Post, PostPage, Visibility } from '@pulso/contracts/posts/v1/posts';
import { encodeFeedPage } from './encode-feed-page.js';

const post = (fields: Partial<Post>): Post => ({
  id: '0192f0c1-2b3c-7def-8123-456789abcdef',
  author: undefined,
  content: 'ñ ☕',
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
  permissions: undefined,
  ...fields,
});

describe('encodeFeedPage', () => {
  const shared = post({});
  const pages: [string, PostPage][] = [
    ['empty', { items: [], nextCursor: '' }],
    ['one of many', { items: [shared, post({ content: 'x'.repeat(10_000) })], nextCursor: 'k.abc.def' }],
    ['with a long cursor', { items: [shared], nextCursor: 'k'.repeat(128) }],
    ['with a cursor that is not ASCII', { items: [shared], nextCursor: 'kñ' }],
    ['with a post encoded before', { items: [post({ likeCount: 4 }), shared], nextCursor: '' }],
  ];

  it.each(pages)('%s: encodes to the same bytes as the generated code', (_name, page) => {
    expect(Buffer.concat(encodeFeedPage(page))).toEqual(Buffer.from(PostPage.encode(page).finish()));
  });
});
