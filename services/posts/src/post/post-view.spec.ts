import { VideoStatus } from '@pulso/contracts/media/v1/media';
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
const VIDEO = {
  id: 'video',
  version: 1,
  status: VideoStatus.VIDEO_STATUS_READY,
  problem: '',
  name: 'a.mp4',
  type: 'video/mp4',
  bytes: 9,
  durationMs: 1_000,
  width: 3,
  height: 2,
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

// Rule: MEDIA-19
describe('a video', () => {
  const cachedWith = (changes: Partial<typeof VIDEO>, document: Partial<NewPost> = {}) =>
    CachedPost.of({
      ...DOCUMENT,
      images: undefined,
      videoId: 'video',
      ...document,
      videoFacts: { ...VIDEO, ...changes },
    });
  const seen = (cached: CachedPost, id = 'ana') =>
    views.shared(cached, AUTHOR, 'open', { id, likes: false }).video!.upload!;

  it.each([
    [1_000, 300_000],
    [150_000, 300_000],
    [150_001, 300_002],
    [3_600_000, 7_200_000],
  ])('of %d ms has addresses for %d ms, renewed each minute', (durationMs, lifeMs) => {
    const cached = cachedWith({ durationMs });
    const first = seen(cached);
    expect([first.url, first.thumbnail]).toEqual([
      `/media/video/video?${lifeMs}`,
      `/media/video/thumbnail?${lifeMs}`,
    ]);
    expect(seen(cached)).toBe(first);
    clock.advance(60_000);
    expect(seen(cached)).not.toBe(first);
  });

  it('of a public post has addresses for ever, which are made once', () => {
    const cached = cachedWith({}, { visibility: 'public' });
    const first = seen(cached);
    expect(first.url).toBe('/media/video/video?for ever');
    clock.advance(3_600_000);
    expect(seen(cached)).toBe(first);
  });

  it('has no address before it is ready, and tells its author alone why it has failed', () => {
    const { VIDEO_STATUS_PROCESSING, VIDEO_STATUS_FAILED } = VideoStatus;
    expect(seen(cachedWith({ status: VIDEO_STATUS_PROCESSING }))).toMatchObject({ url: '', thumbnail: '' });
    const failed = cachedWith({ status: VIDEO_STATUS_FAILED, problem: 'Broken' });
    expect(seen(failed)).toMatchObject({ url: '', thumbnail: '', facts: { problem: '' } });
    expect(seen(failed, AUTHOR.id)).toMatchObject({ url: '', facts: { problem: 'Broken' } });
  });

  // Rule: POST-6
  it('is not shown with a locked post, which says that it has one', () => {
    const link = { url: 'u', originalUrl: 'u', platform: 'external', direct: true } as const;
    const linked = CachedPost.of({ ...DOCUMENT, images: undefined, videoLink: link });
    for (const cached of [cachedWith({}), linked]) {
      const { video, hasVideo } = views.of(cached, AUTHOR, 'locked', null);
      expect([video, hasVideo]).toEqual([undefined, true]);
    }
  });
});

it.each(['open', 'locked'] as const)('decides every field of a post in its %s view', (access) => {
  expect(Object.keys(view(access)).sort()).toEqual(fieldsOf(Post));
});
