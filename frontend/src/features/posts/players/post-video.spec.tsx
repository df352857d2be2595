import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { aMe, aPost, aSession } from '../../../../test/a-post.js';
import { aVideo, aVideoLink } from '../../../../test/a-video.js';
import { allInView } from '../../../../test/all-in-view.js';
import { fakeGateway, problem } from '../../../../test/fake-gateway.js';
import type { FakeGateway } from '../../../../test/fake-gateway.js';
import { aPageAround } from '../../../../test/render.js';
import type { Post, Video } from '../../../api/types.js';
import { emitLive } from '../../../server/live/live-events.js';
import { queryKeys } from '../../../server/queries/query-keys.js';
import { session } from '../../../server/session/session.js';
import { usePost } from '../api/get-post.js';
import { PostCard } from '../components/post-card.js';
import { knowOwnVideo } from './own-videos.js';

let gateway: FakeGateway;
let play: jest.Mock<() => Promise<void>>;
let pause: jest.Mock<() => void>;
allInView();
const { play: realPlay, pause: realPause, load } = HTMLMediaElement.prototype;
beforeEach(() => {
  gateway = fakeGateway();
  play = jest.fn(async () => undefined);
  pause = jest.fn();
  Object.assign(HTMLMediaElement.prototype, { play, pause, load: () => undefined });
});
afterEach(() => {
  cleanup();
  Object.assign(HTMLMediaElement.prototype, { play: realPlay, pause: realPause, load });
  act(() => session.forceSignOut());
});

const withVideo = (video: Video | null, over: Partial<Post> = {}): Post =>
  aPost({ video, hasVideo: true, ...over });
const signIn = (id: string) => act(() => session.signIn(aSession('token', { user: aMe({ id }) })));

/** The post's page: what the cache has of it. */
function open(post: Post) {
  const page = aPageAround();
  page.queryClient.setQueryData(queryKeys.posts.one(post.id), post);
  const Page = () => {
    const { data } = usePost(post.id);
    return data && <PostCard post={data} />;
  };
  page.queryClient.setQueryDefaults(queryKeys.posts.all, { staleTime: Infinity });
  render(<Page />, { wrapper: page.wrapper });
  return page;
}
const player = () => screen.findByLabelText<HTMLVideoElement>('Video by Ana');
const box = () => document.querySelector<HTMLElement>('[data-pictures]')!;

// Rule: MEDIA-20
describe('an uploaded video', () => {
  it('is in a box of its proportions before its code is there, and loads nothing before it plays', async () => {
    open(withVideo(aVideo()));
    expect(box().style.getPropertyValue('--ratio')).toBe(String(1280 / 720));
    const video = await player();
    const attributes = ['src', 'poster', 'preload', 'controls', 'playsinline'].map((name) =>
      video.getAttribute(name),
    );
    expect(attributes).toEqual(['/media/v1/video', '/media/v1/thumbnail', 'none', '', '']);
    expect(box().style.getPropertyValue('--ratio')).toBe(String(1280 / 720));
  });

  it('stops where another one begins', async () => {
    const posts = [withVideo(aVideo()), withVideo(aVideo({ id: 'v2' }), { id: 'p2' })];
    render(
      posts.map((post) => <PostCard key={post.id} post={post} />),
      { wrapper: aPageAround().wrapper },
    );
    const [first, second] = await screen.findAllByLabelText('Video by Ana');
    fireEvent.play(first!);
    expect(pause).not.toHaveBeenCalled();
    fireEvent.play(second!);
    expect(pause.mock.contexts).toEqual([first]);
  });

  // Rule: MEDIA-19
  it('reads its post again, once, where its address has expired, and goes on at the same second', async () => {
    gateway.on('GET /api/posts/p1', () => withVideo(aVideo({ url: '/media/v1/video?fresh' })));
    open(withVideo(aVideo()));
    const video = await player();
    video.currentTime = 7;
    fireEvent.error(video);
    await waitFor(() => expect(video.getAttribute('src')).toBe('/media/v1/video?fresh'));
    await waitFor(() => expect(play).toHaveBeenCalledTimes(1));
    video.currentTime = 0;
    fireEvent.loadedMetadata(video);
    expect(video.currentTime).toBe(7);
    fireEvent.error(video);
    await screen.findByText('This video could not be played.');
    expect(gateway.calls).toEqual(['GET /api/posts/p1']);
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(gateway.calls).toHaveLength(2));
  });

  it('keeps its address while it is shown, whatever a later reading brings', async () => {
    const { queryClient } = open(withVideo(aVideo()));
    const video = await player();
    act(() => void queryClient.setQueryData(queryKeys.posts.one('p1'), withVideo(aVideo({ url: '/other' }))));
    expect(video.getAttribute('src')).toBe('/media/v1/video');
  });

  // Rule: NOTIF-12
  it('shows its author’s own picture while it is being prepared, and is there as soon as the event says so', async () => {
    signIn('ana');
    const processing = aVideo({
      ...{ status: 'processing', url: '', thumbnail: '' },
      metadata: { ...aVideo().metadata, duration: 0, width: 0, height: 0 },
    });
    gateway.on('GET /api/posts/p1', () => withVideo(processing));
    act(() => knowOwnVideo('v1', { facts: { duration: 12, width: 600, height: 800 }, poster: 'blob:own' }));
    open(withVideo(processing));
    await screen.findByText('Your video is being prepared.');
    expect(document.querySelector('[data-pictures] img')?.getAttribute('src')).toBe('blob:own');
    expect(box().style.getPropertyValue('--ratio')).toBe('0.75');
    const ready = aVideo({ metadata: { ...aVideo().metadata, width: 600, height: 800 } });
    act(() => emitLive({ type: 'post-media', data: { postId: 'p1', media: ready } }));
    expect((await player()).getAttribute('src')).toBe('/media/v1/video');
    expect(box().style.getPropertyValue('--ratio')).toBe('0.75');
  });

  it('is asked for again after a gap in the events', async () => {
    const processing = aVideo({ status: 'processing', url: '', thumbnail: '' });
    gateway.on('GET /api/posts/p1', () => withVideo(aVideo()));
    open(withVideo(processing));
    await screen.findByText('Your video is being prepared.');
    expect(gateway.calls).toEqual([]);
    act(() => emitLive({ type: 'reload' }));
    await player();
  });

  // Rule: MEDIA-12
  it.each([
    ['its author', 'ana', 'Failed to prepare video. Please try again.'],
    ['anybody else', 'ben', 'This video is not available.'],
  ])('that has failed says to %s', async (_, viewer, said) => {
    signIn(viewer);
    open(
      withVideo(aVideo({ status: 'failed', problem: 'Failed to prepare video. Please try again.', url: '' })),
    );
    await screen.findByText(said);
  });

  // Rule: MEDIA-12
  it('without an address says so', async () => {
    open(withVideo(aVideo({ url: '' })));
    await screen.findByText('The given file does not have any download URLs.');
  });
});

// Rule: POST-6
it('a locked post says that there is a video', () => {
  open(withVideo(null, { locked: true, truncated: true }));
  expect(screen.getByText('1 video')).toBeTruthy();
});

// Rule: POST-18
describe('a video of another place', () => {
  const YOUTUBE = 'https://www.youtube-nocookie.com/embed/M7lc1UVf-VE';
  const frame = () => document.querySelector('iframe');
  const press = async () =>
    userEvent.click(await screen.findByRole('button', { name: /^Play the video by Ana\. / }));

  it.each([
    [YOUTUBE, 'youtube', 'Plays from YouTube'],
    ['https://player.vimeo.com/video/76979871?h=ab', 'vimeo', 'Plays from Vimeo'],
  ] as const)('%s becomes a frame only after a press', async (url, platform, said) => {
    open(withVideo(aVideoLink(url, { platform, direct: false })));
    await screen.findByText(said);
    expect(document.querySelectorAll('iframe, video, [data-pictures] img')).toHaveLength(0);
    await press();
    expect(frame()!.getAttribute('title')).toBe('Video by Ana');
    const address = new URL(frame()!.src);
    expect([address.origin, address.searchParams.get('autoplay')]).toEqual([new URL(url).origin, '1']);
    expect(document.activeElement).toBe(frame());
  });

  it('leaves its frame when another one plays', async () => {
    open(withVideo(aVideoLink(YOUTUBE, { platform: 'youtube', direct: false })));
    render(<PostCard post={withVideo(aVideo(), { id: 'p2' })} />, { wrapper: aPageAround().wrapper });
    await press();
    fireEvent.play(document.querySelector('video')!);
    await screen.findByRole('button', { name: /^Play the video by Ana\. / });
    expect(frame()).toBeNull();
  });

  it.each(['https://www.youtube-nocookie.com.example.test/embed/a', 'https://example.test/embed/a'])(
    'is no frame at %s, whatever its platform is said to be',
    async (url) => {
      open(withVideo(aVideoLink(url, { platform: 'youtube', direct: false })));
      expect((await screen.findByRole('link', { name: /^Watch on/ })).getAttribute('href')).toBe(url);
    },
  );

  it('that is a file plays in place after a press, or else leads there', async () => {
    const url = 'https://cdn.example.test/run.mp4';
    open(withVideo(aVideoLink(url, { platform: 'external', direct: true })));
    await screen.findByText('Plays from cdn.example.test');
    expect(document.querySelector('video')).toBeNull();
    await press();
    const video = await player();
    expect(video.getAttribute('src')).toBe(url);
    expect(play).toHaveBeenCalledTimes(1);
    fireEvent.error(video);
    await screen.findByText('This video could not be played.');
    expect(screen.getByRole('link', { name: /Watch on cdn.example.test/ }).getAttribute('href')).toBe(url);
    expect(gateway.calls).toEqual([]);
  });

  it('that is anything else opens beside the page', async () => {
    open(withVideo(aVideoLink('https://example.test/run', { platform: 'external', direct: false })));
    const link = await screen.findByRole('link', { name: 'Watch on example.test (opens in a new tab)' });
    expect([link.getAttribute('target'), link.getAttribute('rel')]).toEqual([
      '_blank',
      'noopener noreferrer',
    ]);
  });
});

it('a post that is gone when its address is renewed says that it could not be played', async () => {
  gateway.on('GET /api/posts/p1', () => problem(404, 'not-found'));
  open(withVideo(aVideo()));
  fireEvent.error(await player());
  await screen.findByText('This video could not be played.');
});
