import { type VideoFacts, VideoStatus } from '@pulso/contracts/media/v1/media';
import {
  type EditPostRequest,
  type Post,
  type PublishPostRequest,
  VideoPlatform,
  Visibility,
} from '@pulso/contracts/posts/v1/posts';
import { postTopic } from '@pulso/contracts/topics/posts';
import { newId, newIdAt } from '@pulso/platform/ids/uuid-v7';
import { ManualClock } from '@pulso/platform/testing/manual-clock';
import { posts as definition } from '../src/service.js';
import { type TestPosts, startTestPosts } from './start.js';

const { VISIBILITY_PUBLIC, VISIBILITY_SUBSCRIBERS } = Visibility;
const { VIDEO_STATUS_READY, VIDEO_STATUS_FAILED } = VideoStatus;
const MINUTE = 60_000;
const notAttachable = { kind: 'unprocessable', code: 'media-not-attachable' };
const READY = { status: VIDEO_STATUS_READY, durationMs: 4 * MINUTE, width: 1080, height: 1920 };
const LINK = 'https://youtu.be/M7lc1UVf-VE?t=90';

describe('a video of a post', () => {
  const clock = new ManualClock(Date.UTC(2026, 10, 24, 12));
  let posts: TestPosts;
  let coach: string;
  beforeAll(async () => {
    posts = await startTestPosts({ clock });
    coach = await posts.coach();
  });
  afterAll(() => posts?.close());

  const read = (viewer: string | null, id: string) => posts.as(viewer, (client) => client.getPost({ id }));
  const send = (author: string, request: Partial<PublishPostRequest>) =>
    posts.as(author, (client) =>
      client.publishPost({
        content: '',
        visibility: VISIBILITY_PUBLIC,
        idempotency: undefined,
        images: [],
        ...request,
      }),
    );
  const publish = (video: VideoFacts, request: Partial<PublishPostRequest> = {}, id = newIdAt(clock.now())) =>
    posts.publishVideo(coach, video, request, id);
  const link = (request: Partial<PublishPostRequest> = {}) =>
    send(coach, { video: { url: LINK }, ...request });
  const edit = (author: string, request: EditPostRequest) =>
    posts.as(author, (client) => client.editPost(request));
  const lastState = async (id: string) => {
    await posts.running.relay.drain();
    const event = posts.bus.published.findLast(({ topic, key }) => topic === postTopic.name && key === id);
    return postTopic.codec.decode(event!.payload);
  };
  const opens = (address: string) => {
    const { pathname, searchParams } = new URL(address, 'http://localhost');
    return posts.urls.verify(pathname, searchParams);
  };
  const inFeed = async (viewer: string, id: string) => {
    const page = await posts.as(viewer, (client) => client.getFeed({ limit: 0, cursor: '' }));
    return page.items.find((post) => post.id === id)!;
  };
  const upload = ({ video }: Post) => video!.upload!;

  // Rule: POST-1, MEDIA-17
  it('is published while it is processed, under the id of the ticket, and is ready later for everyone', async () => {
    const member = await posts.user();
    const video = posts.video();
    const id = newIdAt(clock.now());
    const post = await publish(video, {}, id);
    expect(post).toMatchObject({ id, content: '', images: [], imageCount: 0, hasVideo: true });
    expect(upload(post)).toEqual({ facts: video, url: '', thumbnail: '' });
    expect(await read(coach, id)).toEqual(post);
    expect(upload(await read(null, id))).toEqual(upload(post));
    expect(upload(await inFeed(member, id))).toEqual(upload(post));
    expect(await lastState(id)).toMatchObject({ mediaIds: [video.id], mediaEpoch: 1 });
    const { version } = await lastState(id);

    const ready = await posts.tellVideo(coach, video, { ...READY, bytes: 8_000_000 });
    for (const seen of [await read(null, id), await inFeed(member, id), await read(coach, id)]) {
      const { facts, url, thumbnail } = upload(seen);
      expect(facts).toEqual(ready);
      expect(url).toMatch(new RegExp(`^/media/${video.id}/video\\?`));
      expect(thumbnail).toMatch(new RegExp(`^/media/${video.id}/thumbnail\\?`));
      for (const address of [url, thumbnail])
        expect(opens(address)).toEqual({ epoch: 1, expiresAt: undefined });
      expect(opens(thumbnail.replace('/thumbnail', '/video'))).toBe('forged');
      expect(seen.editedAt).toBeUndefined();
    }
    // Nobody else is told: what is published of the post is as before.
    expect((await lastState(id)).version).toBe(version);
  });

  // Rule: POST-17, POST-26
  it('may be a link, as posts judges it', async () => {
    const post = await link({ content: 'x' });
    expect(post).toMatchObject({ hasVideo: true, images: [] });
    const shown = {
      url: 'https://www.youtube-nocookie.com/embed/M7lc1UVf-VE?start=90',
      originalUrl: LINK,
      platform: VideoPlatform.VIDEO_PLATFORM_YOUTUBE,
      direct: false,
    };
    for (const seen of [post, await read(null, post.id)]) expect(seen.video).toEqual({ link: shown });
    expect(await lastState(post.id)).toMatchObject({ mediaIds: [] });
    const platforms = [
      ['https://vimeo.com/76979871', VideoPlatform.VIDEO_PLATFORM_VIMEO, false],
      ['https://example.com/a.mp4', VideoPlatform.VIDEO_PLATFORM_EXTERNAL, true],
      ['https://example.com/', VideoPlatform.VIDEO_PLATFORM_EXTERNAL, false],
    ] as const;
    for (const [url, platform, direct] of platforms) {
      const { video } = await send(coach, { video: { url } });
      expect(video!.link).toMatchObject({ originalUrl: url, platform, direct });
    }
    for (const url of ['javascript:alert(1)', '', `https://example.com/${'x'.repeat(2_048)}`]) {
      await expect(send(coach, { content: 'x', video: { url } })).rejects.toMatchObject({
        message: 'Please enter a valid URL',
        details: { errors: [{ path: 'video.url', code: 'invalid-url' }] },
      });
    }
  });

  // Rule: POST-2
  it('is not beside images, in a new post or in an edited one', async () => {
    const images = [{ id: newId(), alt: '', caption: '' }];
    const both = (path: string) => ({
      kind: 'invalid-argument',
      message: 'A post has images or a video, not both.',
      details: { errors: [{ path, code: 'images-and-video' }] },
    });
    await expect(link({ images })).rejects.toMatchObject(both('video'));
    await expect(publish(posts.video(), { images })).rejects.toMatchObject(both('video'));
    const { id } = await publish(posts.video());
    await expect(edit(coach, { id, images: { items: images } })).rejects.toMatchObject(both('images'));
    const facts = { width: 3, height: 2, blurhash: '', originalName: '', originalSize: 0, bytes: 9 };
    const ticket = await posts.ticket(coach, id, [{ id: images[0]!.id, ...facts }]);
    const changed = await edit(coach, { id, images: { items: images }, ticket, removeVideo: true });
    expect(changed).toMatchObject({ imageCount: 1, hasVideo: false });
    expect((await lastState(id)).mediaIds).toEqual([images[0]!.id]);
    await edit(coach, { id, content: 'x' });
    await expect(edit(coach, { id, content: '', images: { items: [] } })).rejects.toMatchObject({
      message: 'Post must have content or at least one image',
    });
  });

  // Rule: MEDIA-17
  it('needs a ticket for this caller, this post and this video, after the post’s own reasons', async () => {
    const [video, other, member] = [posts.video(), posts.video(), await posts.user()];
    const id = newIdAt(clock.now());
    const choice = { uploadId: video.id };
    const ticketOf = (author: string, granted?: VideoFacts) => posts.ticket(author, id, [], granted);
    const forged = `${await ticketOf(coach, video)}x`;
    const bad = [undefined, '', forged, await ticketOf(member, video), await ticketOf(coach, other)];
    for (const ticket of [...bad, await ticketOf(coach)]) {
      await expect(send(coach, { content: 'x', video: choice, ticket })).rejects.toMatchObject(notAttachable);
    }
    const old = await ticketOf(coach, video);
    clock.advance(2 * MINUTE);
    await expect(send(coach, { video: choice, ticket: old })).rejects.toMatchObject(notAttachable);
    await expect(read(coach, id)).rejects.toMatchObject({ kind: 'not-found' });
    const denied = { code: 'permission-denied' };
    const limited = { video: choice, visibility: VISIBILITY_SUBSCRIBERS };
    await expect(send(member, limited)).rejects.toMatchObject(denied);
    // The post of the ticket is there already, under no key.
    await publish(video, {}, id);
    await expect(publish(video, {}, id)).rejects.toMatchObject(notAttachable);
  });

  // Rule: POST-6, MEDIA-19
  it('is not shown without access, and else by addresses for twice its length, renewed before they expire', async () => {
    const member = await posts.user();
    const video = posts.video({ ...READY });
    const { id } = await publish(video, { content: 'x', visibility: VISIBILITY_SUBSCRIBERS });
    const linked = await link({ content: 'x', visibility: VISIBILITY_SUBSCRIBERS });
    await posts.follow(member, coach);
    const list = async (viewer: string | null) => {
      const { items } = await posts.as(viewer, (client) =>
        client.listUserPosts({ userId: coach, limit: 2, cursor: '' }),
      );
      return items;
    };
    const seenBy = async (viewer: string | null) => [
      await read(viewer, id),
      await read(viewer, linked.id),
      ...(await list(viewer)),
    ];
    for (const post of [...(await seenBy(null)), ...(await seenBy(member)), await inFeed(member, id)]) {
      expect(post).toMatchObject({ locked: true, hasVideo: true });
      expect(post.video).toBeUndefined();
    }
    await posts.subscribe(member, coach);
    expect((await read(member, linked.id)).video!.link).toMatchObject({ originalUrl: LINK });
    const first = upload(await inFeed(member, id)).url;
    const start = clock.now();
    expect(opens(first)).toEqual({ epoch: 1, expiresAt: start - (start % MINUTE) + 8 * MINUTE });
    for (let minute = 1; minute <= 9; minute++) {
      clock.advance(MINUTE);
      for (const post of [await inFeed(member, id), await read(member, id)]) {
        for (const address of [upload(post).url, upload(post).thumbnail]) {
          const claims = opens(address) as { expiresAt: number };
          expect(claims.expiresAt - clock.now()).toBeGreaterThan(6 * MINUTE);
        }
      }
    }
    expect(opens(first)).toBe('expired');
    const opened = await edit(coach, { id, visibility: VISIBILITY_PUBLIC });
    expect(opens(upload(opened).url)).toEqual({ epoch: 2, expiresAt: undefined });
    await posts.subscribe(member, coach, false);
    expect((await read(member, linked.id)).video).toBeUndefined();
  });

  // Rule: POST-4, POST-5
  it('counts as content, and can be taken out, but not replaced', async () => {
    const nothing = { message: 'Post must have content or at least one image' };
    const video = posts.video();
    const { id } = await publish(video, { content: 'x' });
    expect(await edit(coach, { id, content: ' ' })).toMatchObject({ content: '', hasVideo: true });
    await expect(edit(coach, { id, removeVideo: true })).rejects.toMatchObject(nothing);
    const member = await posts.user();
    await expect(edit(member, { id, removeVideo: true })).rejects.toMatchObject({
      code: 'permission-denied',
    });
    const removed = await edit(coach, { id, content: 'y', removeVideo: true });
    expect(removed).toMatchObject({ content: 'y', hasVideo: false, editedAt: expect.any(Number) });
    expect(removed.video).toBeUndefined();
    expect(await lastState(id)).toMatchObject({ mediaIds: [], deleted: false });
    for (const field of ['videoId', 'videoFacts', 'videoLink']) {
      expect(await posts.raw.posts.findOne({ _id: id })).not.toHaveProperty(field);
    }
    // What media still tells of it leads nowhere, and there is nothing more to take out.
    await posts.tellVideo(coach, video, READY);
    expect(await edit(coach, { id, removeVideo: true })).toEqual(removed);
    expect(await read(coach, id)).toEqual(removed);
    const linked = await link();
    expect(await edit(coach, { id: linked.id, content: 'z', removeVideo: true })).toMatchObject({
      content: 'z',
      hasVideo: false,
    });
  });

  // Rule: MEDIA-17
  it('stays in its post when it has failed: its author is told why, and may delete the post', async () => {
    const video = posts.video();
    const { id } = await publish(video);
    const problem = 'Invalid file type. Allowed: .mp4, .webm, .ogg';
    await posts.tellVideo(coach, video, { status: VIDEO_STATUS_FAILED, problem, bytes: 0 });
    const seen = await read(null, id);
    expect(seen.hasVideo).toBe(true);
    expect(upload(seen)).toMatchObject({ url: '', thumbnail: '', facts: { problem: '', bytes: 0 } });
    expect(upload(await read(coach, id)).facts).toMatchObject({ status: VIDEO_STATUS_FAILED, problem });
    await posts.as(coach, (client) => client.deletePost({ id }));
    await expect(read(coach, id)).rejects.toMatchObject({ kind: 'not-found' });
  });

  // Rule: POST-10
  it('is freed and forgotten with its post', async () => {
    for (const post of [await publish(posts.video(), { content: 'x' }), await link()]) {
      await posts.as(coach, (client) => client.deletePost({ id: post.id }));
      expect(await lastState(post.id)).toMatchObject({ deleted: true, mediaIds: [] });
      const row = await posts.raw.posts.findOne({ _id: post.id });
      for (const field of ['videoId', 'videoFacts', 'videoLink']) expect(row).not.toHaveProperty(field);
    }
  });

  // Rule: POST-12, MEDIA-17
  it('is in the answer to a repetition, of which nothing of it is stored', async () => {
    const video = posts.video(READY);
    const id = newIdAt(clock.now());
    const idempotency = { key: 'film', scope: 'POST /api/posts', bodyHash: 'h' };
    const request = { idempotency, visibility: VISIBILITY_SUBSCRIBERS };
    const first = await publish(video, request, id);
    clock.advance(10 * MINUTE);
    const again = await publish(video, request, id);
    expect(again).toMatchObject({ id, createdAt: first.createdAt, hasVideo: true });
    expect(upload(again).facts).toEqual(video);
    expect(opens(upload(again).url)).toMatchObject({ epoch: 1 });
    const linkedWith = { idempotency: { ...idempotency, key: 'link' } };
    const linked = await link(linkedWith);
    expect(await link(linkedWith)).toEqual(linked);
    for (const stored of [id, linked.id]) {
      const row = await posts.raw.posts.findOne({ _id: stored });
      for (const text of ['squats', '/media/', 'youtu']) {
        expect(Buffer.from(row!.idempotencyAnswer!).includes(text)).toBe(false);
      }
    }
    // Media refuses the video of a post that is deleted, so there is no ticket.
    await posts.as(coach, (client) => client.deletePost({ id }));
    const gone = await send(coach, { ...request, video: { uploadId: video.id } });
    expect(gone).toMatchObject({ id, hasVideo: true });
    expect(gone.video).toBeUndefined();
  });

  // Rule: PEOPLE-36, MEDIA-22
  it('is shown to moderators, also of a hidden post', async () => {
    const video = posts.video();
    const { id } = await publish(video);
    const linked = await send(coach, { video: { url: 'https://example.com/a.mp4?"' } });
    const show = async (post: string, options = {}) => {
      const run = definition.commands['show-post']!.prepare({ operands: [post], options });
      return run(posts.running);
    };
    const lineOf = async (post: string) => (await show(post)).find((line) => line.startsWith('  video'));
    expect(await lineOf(linked.id)).toBe('  video link "https://example.com/a.mp4?\\""');
    expect(await lineOf(id)).toBe('  video processing');
    await posts.hide(id);
    await posts.tellVideo(coach, video, READY);
    const [, address = ''] = /^ {2}video ready (\S+)$/.exec((await lineOf(id))!)!;
    expect(address).toMatch(new RegExp(`^/media/${video.id}/video\\?`));
    expect(opens(address)).toMatchObject({ epoch: 1, expiresAt: expect.any(Number) });
    const [json = ''] = await show(id, { json: true });
    expect(JSON.parse(json)).toMatchObject({ video: { state: 'ready' } });
    // The author of a hidden post still sees it, at an address that expires.
    expect(opens(upload(await read(coach, id)).url)).toMatchObject({ expiresAt: expect.any(Number) });
    await posts.tellVideo(coach, video, { status: VIDEO_STATUS_FAILED });
    expect(await lineOf(id)).toBe('  video failed');
    await posts.as(coach, (client) => client.deletePost({ id }));
    expect(await lineOf(id)).toBeUndefined();
  });
});
