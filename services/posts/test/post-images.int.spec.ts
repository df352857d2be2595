import { jest } from '@jest/globals';
import type { ImageFacts } from '@pulso/contracts/media/v1/media';
import {
  type EditPostRequest,
  type ImageChoice,
  type Post,
  type PublishPostRequest,
  Visibility,
} from '@pulso/contracts/posts/v1/posts';
import { postTopic } from '@pulso/contracts/topics/posts';
import { newId, newIdAt } from '@pulso/platform/ids/uuid-v7';
import { ManualClock } from '@pulso/platform/testing/manual-clock';
import { posts as definition } from '../src/service.js';
import { PostRepository } from '../src/store/post.repository.js';
import { type TestPosts, startTestPosts } from './start.js';

const { VISIBILITY_PUBLIC, VISIBILITY_SUBSCRIBERS } = Visibility;
const MINUTE = 60_000;
const notAttachable = { kind: 'unprocessable', code: 'media-not-attachable' };

const anImage = (changes: Partial<ImageFacts> = {}): ImageFacts => ({
  id: newId(),
  width: 1600,
  height: 900,
  blurhash: 'LEHV6nWB2yk8pyo0adR*.7kCMdnj',
  originalName: 'rowing ☕.jpg',
  originalSize: 2_400_000,
  bytes: 310_000,
  ...changes,
});

const chosen = (images: readonly ImageFacts[]): ImageChoice[] =>
  images.map(({ id }, position) => ({ id, alt: `alt ${position}`, caption: `caption ${position}` }));

describe('images of posts', () => {
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
  const publish = async (
    author: string,
    images: readonly ImageFacts[],
    request: Partial<PublishPostRequest> = {},
    id = newIdAt(clock.now()),
  ) => send(author, { images: chosen(images), ticket: await posts.ticket(author, id, images), ...request });
  const edit = (author: string, request: EditPostRequest) =>
    posts.as(author, (client) => client.editPost(request));
  const setImages = async (author: string, id: string, images: readonly ImageFacts[]) =>
    edit(author, {
      id,
      images: { items: chosen(images) },
      ticket: await posts.ticket(author, id, images),
    });

  const lastState = async (id: string) => {
    await posts.running.relay.drain();
    const event = posts.bus.published.findLast(({ topic, key }) => topic === postTopic.name && key === id);
    return postTopic.codec.decode(event!.payload);
  };
  const opens = (address: string) => {
    const { pathname, searchParams } = new URL(address, 'http://localhost');
    return posts.urls.verify(pathname, searchParams);
  };
  const ids = (post: Post) => post.images.map(({ id }) => id);

  // Rule: POST-1, MEDIA-17, MEDIA-19
  it('publishes a post of images alone under the id of the ticket, with addresses for everyone', async () => {
    const images = [anImage(), anImage({ originalName: '', originalSize: 0, blurhash: '' })];
    const id = newIdAt(clock.now());
    const post = await publish(coach, images, {}, id);
    expect(post).toMatchObject({ id, content: '', imageCount: 2, hasVideo: false, createdAt: clock.now() });
    expect(post.images).toMatchObject([
      { ...images[0], alt: 'alt 0', caption: 'caption 0' },
      { ...images[1], alt: 'alt 1', caption: 'caption 1' },
    ]);
    expect(await read(coach, id)).toEqual(post);
    const seen = await read(null, id);
    expect(seen.images).toEqual(post.images);
    const [{ url, thumbnail }] = seen.images as [Post['images'][number]];
    expect(url).toMatch(new RegExp(`^/media/${images[0]!.id}/full\\?`));
    expect(thumbnail).toMatch(new RegExp(`^/media/${images[0]!.id}/thumbnail\\?`));
    for (const address of [url, thumbnail])
      expect(opens(address)).toEqual({ epoch: 1, expiresAt: undefined });
    expect(opens(thumbnail.replace('/thumbnail', '/full'))).toBe('forged');
    expect(await lastState(id)).toMatchObject({ mediaIds: images.map((image) => image.id), mediaEpoch: 1 });
  });

  // Rule: PEOPLE-36, MEDIA-22
  it('are shown to moderators, also of a hidden post, by addresses that expire', async () => {
    const images = [anImage(), anImage()];
    const { id } = await publish(coach, images, { content: 'x' });
    const show = async () => {
      const run = definition.commands['show-post']!.prepare({ operands: [id], options: {} });
      return (await run(posts.running)).filter((line) => line.startsWith('  picture '));
    };
    for (const hidden of [false, true]) {
      if (hidden) await posts.hide(id);
      const lines = await show();
      expect(lines.map((line) => line.split('  ').slice(2))).toEqual([
        ['"alt 0"', '"caption 0"'],
        ['"alt 1"', '"caption 1"'],
      ]);
      lines.forEach((line, position) => {
        const [, address = ''] = /^ {2}picture (\S+) {2}/.exec(line)!;
        expect(address).toMatch(new RegExp(`^/media/${images[position]!.id}/full\\?`));
        expect(opens(address)).toMatchObject({ epoch: 1, expiresAt: expect.any(Number) });
      });
    }
    await posts.as(coach, (client) => client.deletePost({ id }));
    expect(await show()).toEqual([]);
  });

  // Rule: POST-6, MEDIA-19
  it('gives addresses of a subscribers-only post to those with access only, renewed before they expire', async () => {
    const member = await posts.user();
    const { id } = await publish(coach, [anImage()], { content: 'x', visibility: VISIBILITY_SUBSCRIBERS });
    const feed = async (viewer: string) => {
      const page = await posts.as(viewer, (client) => client.getFeed({ limit: 0, cursor: '' }));
      return page.items.find((post) => post.id === id)!;
    };
    await posts.follow(member, coach);
    const list = (viewer: string | null) =>
      posts.as(viewer, (client) => client.listUserPosts({ userId: coach, limit: 1, cursor: '' }));
    for (const post of [await read(null, id), await read(member, id), (await list(null)).items[0]!]) {
      expect(post).toMatchObject({ locked: true, imageCount: 1, images: [] });
    }
    expect(await feed(member)).toMatchObject({ locked: true, imageCount: 1, images: [] });

    await posts.subscribe(member, coach);
    const first = (await feed(member)).images[0]!.url;
    const start = clock.now();
    expect(opens(first)).toEqual({ epoch: 1, expiresAt: start - (start % MINUTE) + 5 * MINUTE });
    expect((await feed(member)).images[0]!.url).toBe(first);
    for (let minute = 1; minute <= 7; minute++) {
      clock.advance(MINUTE);
      for (const { images } of [await feed(member), await read(member, id), (await list(member)).items[0]!]) {
        const claims = opens(images[0]!.url) as { expiresAt: number };
        expect(claims.expiresAt - clock.now()).toBeGreaterThan(3 * MINUTE);
      }
    }
    expect(opens(first)).toBe('expired');
    await posts.subscribe(member, coach, false);
    expect(await feed(member)).toMatchObject({ locked: true, images: [] });
  });

  // Rule: MEDIA-19
  it('raises the epoch with each change of visibility and nothing else', async () => {
    const { id } = await publish(coach, [anImage()]);
    const signedEpoch = ({ images }: Post) => (opens(images[0]!.url) as { epoch: number }).epoch;
    const epochOf = async (post: Post) => [signedEpoch(post), (await lastState(id)).mediaEpoch];
    expect(await epochOf(await edit(coach, { id, content: 'y' }))).toEqual([1, 1]);
    expect(await epochOf(await edit(coach, { id, visibility: VISIBILITY_SUBSCRIBERS }))).toEqual([2, 2]);
    expect(await epochOf(await edit(coach, { id, visibility: VISIBILITY_SUBSCRIBERS }))).toEqual([2, 2]);
    expect(await epochOf(await edit(coach, { id, visibility: VISIBILITY_PUBLIC }))).toEqual([3, 3]);
    const old = await posts.publish(coach, 'from before there was media');
    await posts.raw.posts.updateOne({ _id: old.id }, { $unset: { mediaEpoch: '' } });
    await edit(coach, { id: old.id, visibility: VISIBILITY_SUBSCRIBERS });
    expect((await lastState(old.id)).mediaEpoch).toBe(2);
  });

  // Rule: POST-5
  it('edits images as a whole list: order, texts, additions and removals', async () => {
    const [a, b, c] = [anImage(), anImage(), anImage()] as const;
    const post = await publish(coach, [a, b], { content: 'x' });
    const { id } = post;
    expect(await edit(coach, { id, images: { items: chosen([a, b]) } })).toEqual(post);
    const turned = await edit(coach, { id, images: { items: chosen([b, a]) } });
    expect(ids(turned)).toEqual([b.id, a.id]);
    expect(turned.editedAt).toBeDefined();
    const texts = [{ id: b.id, alt: ' new ', caption: '' }];
    const told = await edit(coach, { id, images: { items: texts } });
    expect(told.images).toMatchObject([{ ...b, alt: 'new', caption: '' }]);
    expect(await lastState(id)).toMatchObject({ mediaIds: [b.id], mediaEpoch: 1 });
    expect(ids(await setImages(coach, id, [c, b]))).toEqual([c.id, b.id]);
    expect(ids(await edit(coach, { id, content: 'only the text' }))).toEqual([c.id, b.id]);
    expect(ids(await read(null, id))).toEqual([c.id, b.id]);
    expect((await lastState(id)).mediaIds).toEqual([c.id, b.id]);
    await edit(coach, { id, images: { items: [] } });
    expect(await lastState(id)).toMatchObject({ mediaIds: [], deleted: false });
    expect(await read(null, id)).toMatchObject({ images: [], imageCount: 0 });
  });

  // Rule: POST-4, POST-5
  it('lets the text become empty while an image remains, and the last image go while a text remains', async () => {
    const image = anImage();
    const nothing = {
      kind: 'invalid-argument',
      message: 'Post must have content or at least one image',
      details: { errors: [{ path: 'content', code: 'required' }] },
    };
    const { id } = await publish(coach, [image], { content: 'x' });
    const none = { images: { items: [] } };
    await expect(edit(coach, { id, content: ' ', ...none })).rejects.toMatchObject(nothing);
    expect(await edit(coach, { id, content: ' ' })).toMatchObject({ content: '', imageCount: 1 });
    await expect(edit(coach, { id, ...none })).rejects.toMatchObject(nothing);
    expect(await edit(coach, { id, content: 'y', ...none })).toMatchObject({ content: 'y', imageCount: 0 });
    await expect(edit(coach, { id, content: '' })).rejects.toMatchObject(nothing);
  });

  // Rule: MEDIA-17
  it('refuses images without a ticket for this caller, this post and all of them', async () => {
    const [image, other, member] = [anImage(), anImage(), await posts.user()];
    const images = chosen([image]);
    const id = newIdAt(clock.now());
    const ticketOf = (author: string, image: ImageFacts) => posts.ticket(author, id, [image]);
    const forged = `${await ticketOf(coach, image)}x`;
    const bad = [undefined, '', forged, await ticketOf(member, image), await ticketOf(coach, other)];
    for (const ticket of bad) {
      await expect(send(coach, { content: 'x', images, ticket })).rejects.toMatchObject(notAttachable);
    }
    const { id: postId } = await publish(coach, [other]);
    const edited = { id: postId, images: { items: chosen([other, image]) } };
    // The last one is for another post.
    for (const ticket of [...bad, await ticketOf(coach, image)]) {
      await expect(edit(coach, { ...edited, ticket })).rejects.toMatchObject(notAttachable);
    }
    const old = await posts.ticket(coach, id, [image]);
    clock.advance(2 * MINUTE);
    await expect(send(coach, { images, ticket: old })).rejects.toMatchObject(notAttachable);
    expect(ids(await read(null, postId))).toEqual([other.id]);
    await expect(read(coach, id)).rejects.toMatchObject({ kind: 'not-found' });
  });

  // Rule: MEDIA-17
  it('gives its own reasons before that of the images', async () => {
    const member = await posts.user();
    const images = chosen([anImage()]);
    const denied = { code: 'permission-denied' };
    await expect(send(member, { images, visibility: VISIBILITY_SUBSCRIBERS })).rejects.toMatchObject(denied);
    await expect(send(member, { images: [...images, ...images] })).rejects.toMatchObject({
      details: { errors: [{ path: 'images.1.id', message: 'A post shows each image once.' }] },
    });
    const { id } = await publish(member, [anImage()], { content: 'x' });
    const edited = { id, images: { items: images } };
    await expect(edit(coach, edited)).rejects.toMatchObject(denied);
    await expect(edit(member, { ...edited, id: newId() })).rejects.toMatchObject({ kind: 'not-found' });
    await expect(edit(member, { ...edited, visibility: VISIBILITY_SUBSCRIBERS })).rejects.toMatchObject(
      denied,
    );
    await posts.as(member, (client) => client.deletePost({ id }));
    await expect(edit(member, edited)).rejects.toMatchObject({ kind: 'not-found' });
  });

  // Rule: POST-1, POST-5
  it('refuses more than 10 images, one image twice and texts that are too long, all at once', async () => {
    const eleven = Array.from({ length: 11 }, () => anImage());
    const { id } = await publish(coach, eleven.slice(0, 10));
    expect((await read(null, id)).imageCount).toBe(10);
    await expect(publish(coach, eleven)).rejects.toMatchObject({
      message: 'Too many files. Maximum: 10 images',
      details: { errors: [{ path: 'images', code: 'too-many' }] },
    });
    await expect(setImages(coach, id, eleven)).rejects.toMatchObject({
      message: 'Too many images. Maximum 10 images allowed. You currently have 11.',
    });
    const [image] = eleven;
    for (const [field, length] of Object.entries({ alt: 1001, caption: 501 })) {
      const images = [{ id: image!.id, alt: '', caption: '', [field]: 'x'.repeat(length) }];
      await expect(send(coach, { images })).rejects.toMatchObject({
        details: { errors: [{ path: `images.0.${field}`, code: 'too-long' }] },
      });
    }
    const twice = chosen([image!, image!]);
    await expect(send(coach, { content: 'x'.repeat(10_001), images: twice })).rejects.toMatchObject({
      details: {
        errors: [
          { path: 'content', code: 'too-long' },
          { path: 'images.1.id', code: 'repeated' },
        ],
      },
    });
  });

  // Rule: POST-12, MEDIA-17
  it('repeats a publication with fresh addresses and keeps no text of the images in its answer', async () => {
    const image = anImage();
    const id = newIdAt(clock.now());
    const idempotency = { key: 'pictures', scope: 'POST /api/posts', bodyHash: 'h' };
    const request = { idempotency, visibility: VISIBILITY_SUBSCRIBERS };
    const attempts = await Promise.all(Array.from({ length: 4 }, () => publish(coach, [image], request, id)));
    for (const attempt of attempts) expect(attempt).toEqual(attempts[0]);
    clock.advance(10 * MINUTE);
    const again = await publish(coach, [image], request, id);
    expect(again).toMatchObject({ id, createdAt: attempts[0]!.createdAt, imageCount: 1 });
    expect(again.images[0]).toMatchObject({ ...image, alt: 'alt 0', caption: 'caption 0' });
    expect(opens(again.images[0]!.url)).toMatchObject({ epoch: 1 });
    const row = await posts.raw.posts.findOne({ _id: id });
    for (const text of ['alt 0', 'caption 0', 'rowing', image.blurhash, '/media/']) {
      expect(Buffer.from(row!.idempotencyAnswer!).includes(text)).toBe(false);
    }
    // Media refuses the images of a post that is deleted, so there is no ticket.
    await posts.as(coach, (client) => client.deletePost({ id }));
    const gone = await send(coach, { ...request, images: chosen([image]) });
    expect(gone).toMatchObject({ id, images: [], imageCount: 1 });
    await expect(publish(coach, [image], {}, id)).rejects.toMatchObject(notAttachable);
  });

  // Rule: HTTP-5
  it('answers shorter pages where posts are as large as they may be', async () => {
    const author = await posts.coach();
    const emoji = (length: number) => '💪'.repeat(length);
    const published: string[] = [];
    for (let count = 0; count < 42; count++) {
      const facts = Array.from({ length: 10 }, () => anImage());
      const images = facts.map(({ id }) => ({ id, alt: emoji(1_000), caption: emoji(500) }));
      published.unshift((await publish(author, facts, { images, content: emoji(10_000) })).id);
    }
    const list = (cursor: string) =>
      posts.as(author, (client) => client.listUserPosts({ userId: author, limit: 100, cursor }));
    const feed = (cursor: string) => posts.as(author, (client) => client.getFeed({ limit: 100, cursor }));
    const reads = jest.spyOn(posts.running.get(PostRepository), 'listByAuthor');
    const first = (await list('')).items;
    expect(first.length).toBeLessThan(8);
    expect(reads.mock.calls.map(([, , , limit]) => limit)).toEqual([21]);
    reads.mockRestore();
    expect((await feed('')).items.length).toBeLessThan(8);
    expect((await posts.all(list)).map(({ id }) => id)).toEqual(published);
    const own = (await posts.all(feed)).filter((post) => post.author!.id === author);
    expect(own.map(({ id }) => id).toSorted()).toEqual(published.toSorted());
  });

  // Rule: POST-10
  it('frees the images of a deleted post and forgets them', async () => {
    const { id } = await publish(coach, [anImage()], { content: 'x' });
    await posts.as(coach, (client) => client.deletePost({ id }));
    expect(await lastState(id)).toMatchObject({ deleted: true, mediaIds: [] });
    expect(await posts.raw.posts.findOne({ _id: id })).not.toHaveProperty('images');
  });
});
