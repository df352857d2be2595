import { Author, Post } from '@pulso/contracts/posts/v1/posts';
import { everyField, fieldsOf } from '@pulso/platform/testing/every-field';
import { ManualClock } from '@pulso/platform/testing/manual-clock';
import type { KnownHiddenPosts } from '../projections/known-hidden-posts.js';
import type { NewPost } from '../store/post.js';
import { CachedPost } from './cached-post.js';
import { PostViews } from './post-view.js';

const AUTHOR = everyField(Author, {
  id: 'carla',
  name: 'Carla',
  username: 'carla',
  profileImageId: 'picture',
  isCoach: true,
  subscriptionPriceMinor: 999,
  subscriptionCurrency: 'USD',
});
const IMAGE = {
  id: 'image',
  width: 3,
  height: 2,
  blurhash: 'hash',
  originalName: 'a.png',
  originalSize: 9,
  bytes: 8,
  alt: 'Squat',
  caption: 'Low',
};
const DOCUMENT: NewPost = {
  _id: 'post',
  version: 1,
  authorId: AUTHOR.id,
  visibility: 'subscribers',
  content: 'x'.repeat(201),
  likeCount: 3,
  commentCount: 2,
  createdAt: new Date(1_000),
  updatedAt: new Date(2_000),
  editedAt: new Date(3_000),
  images: [IMAGE],
  mediaEpoch: 1,
  live: true,
};
const POST = CachedPost.of(DOCUMENT);

const urls = {
  sign: (path: string, { lifeMs }: { lifeMs?: number }) => `${path}?${lifeMs ?? 'for ever'}`,
  verify: () => 'forged' as const,
};
const hidden = new Set<string>();
const hiddenPosts = { isHidden: (id: string) => hidden.has(id) } as unknown as KnownHiddenPosts;
const clock = new ManualClock(60_000);
const views = new PostViews(urls, clock, hiddenPosts);
const view = (access: 'open' | 'locked') => views.of(POST, AUTHOR, access, { id: 'ana', likes: true });

// Rule: POST-6
it('shows viewers without access the beginning of the text and these fields only', () => {
  expect(view('locked')).toEqual({
    id: 'post',
    author: AUTHOR,
    content: 'x'.repeat(100),
    truncated: true,
    images: [],
    imageCount: 1,
    hasVideo: false,
    visibility: 2,
    likeCount: 3,
    likedByViewer: true,
    commentCount: 2,
    createdAt: 1_000,
    updatedAt: 2_000,
    editedAt: 3_000,
    locked: true,
    permissions: { edit: false, delete: false, like: false, comment: false },
  });
});

// Rule: MEDIA-22
it('gives the author of a hidden post addresses that expire, and everybody the usual ones afterwards', () => {
  const cached = CachedPost.of({ ...DOCUMENT, visibility: 'public' });
  const seen = () => views.shared(cached, AUTHOR, 'open', { id: AUTHOR.id, likes: false }).images[0]!.url;
  expect(seen()).toBe('/media/image/full?for ever');
  hidden.add('post');
  expect(seen()).toBe('/media/image/full?300000');
  hidden.clear();
  expect(seen()).toBe('/media/image/full?for ever');
});

it.each(['open', 'locked'] as const)('decides every field of a post in its %s view', (access) => {
  expect(Object.keys(view(access)).sort()).toEqual(fieldsOf(Post));
});
