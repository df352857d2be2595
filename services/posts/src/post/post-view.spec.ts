import { Author, Post } from '@pulso/contracts/posts/v1/posts';
import { everyField, fieldsOf } from '@pulso/platform/testing/every-field';
import { ManualClock } from '@pulso/platform/testing/manual-clock';
import { PostBody } from './post.js';
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
const POST = PostBody.of({
  _id: 'post',
  version: 1,
  authorId: AUTHOR.id,
  visibility: 'subscribers',
  content: 'x'.repeat(101),
  likeCount: 3,
  commentCount: 2,
  createdAt: new Date(1_000),
  updatedAt: new Date(2_000),
  editedAt: new Date(3_000),
  images: [IMAGE],
  mediaEpoch: 1,
  live: true,
});

const urls = { sign: (path: string) => path, verify: () => 'forged' as const };
const views = new PostViews(urls, new ManualClock(0));
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

it.each(['open', 'locked'] as const)('decides every field of a post in its %s view', (access) => {
  expect(Object.keys(view(access)).sort()).toEqual(fieldsOf(Post));
});
