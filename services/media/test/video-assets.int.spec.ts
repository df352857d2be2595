import { jest } from '@jest/globals';
import { UserStatus } from '@pulso/contracts/identity/v1/events';
import { postMediaTicket } from '@pulso/contracts/media-tickets';
import { createTicketVerifier } from '@pulso/platform/auth/signed-ticket';
import { outcome } from '@pulso/platform/testing/outcomes';
import { ObjectStore } from '@pulso/platform/objects/object-store';
import { until } from '@pulso/platform/testing/until';
import { once } from 'node:events';
import { readdir, utimes, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { Reconcile } from '../src/reconciliation/reconcile.js';
import { piecesOf } from '../src/store/stored-pieces.js';
import { DAY_MS, TestMedia } from './start.js';
import { aReadyVideo, aWaitingVideo, hasBecome, someBytes } from './support/a-video.js';
import { storedObjects } from './support/stored-objects.js';

const MB = 1024 * 1024;
const FIVE_MINUTES_MS = 300_000;

let media: TestMedia;
let ana: string;
let ben: string;
beforeAll(async () => (media = await TestMedia.start()));
beforeEach(() => ([ana, ben] = [media.newId(), media.newId()]));
afterAll(() => media?.stop());

const videoOf = (id: string) =>
  media.service.as(ana, async (client) => (await client.getAsset({ id })).video!);
const NOT_ATTACHABLE = 'unprocessable media-not-attachable';

// Rule: MEDIA-19, MEDIA-20
describe('the delivery of a video', () => {
  it('gives its bytes whole and in parts, as its row says what they are', async () => {
    const file = someBytes(3 * MB + 7);
    const id = await aReadyVideo(media, ana, { file });
    const path = media.address(id, 0, FIVE_MINUTES_MS, 'video');
    const whole = await media.get(path);
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      ...{ 'content-type': 'video/webm', 'content-length': `${file.length}`, 'accept-ranges': 'bytes' },
      ...{ 'x-content-type-options': 'nosniff', etag: `"${id}-video"` },
      'cache-control': expect.stringMatching(/^private, max-age=\d+, immutable$/),
    });
    expect(Buffer.from(await whole.arrayBuffer()).equals(file)).toBe(true);
    const part = await media.get(path, { range: `bytes=${2 * MB}-` });
    expect([part.status, part.headers.get('content-range')]).toEqual([
      206,
      `bytes ${2 * MB}-${file.length - 1}/${file.length}`,
    ]);
    expect(Buffer.from(await part.arrayBuffer()).equals(file.subarray(2 * MB))).toBe(true);
    const beyond = await media.get(path, { range: `bytes=${file.length}-` });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${file.length}`]);
    const thumbnail = await media.get(media.address(id, 0, FIVE_MINUTES_MS, 'thumbnail'));
    expect([thumbnail.headers.get('content-type'), await thumbnail.text()]).toEqual([
      'image/jpeg',
      'a picture',
    ]);
    expect(await media.statusOf(id)).toBe(404);
  });

  it('is read from the store no faster than its reader takes it', async () => {
    const id = await aReadyVideo(media, ana, { file: someBytes(10) });
    const objects = media.service.get(ObjectStore);
    let pulled = 0;
    async function* chunks() {
      for (let megabyte = 0; megabyte < 50; megabyte += 1) {
        pulled += MB;
        yield await Promise.resolve(Buffer.alloc(MB));
      }
    }
    jest.spyOn(objects, 'sizeOf').mockResolvedValue(50 * MB);
    jest.spyOn(objects, 'read').mockImplementation(() => Readable.from(chunks(), { objectMode: false }));
    const request = httpRequest(media.base + media.address(id, 0, undefined, 'video'));
    request.end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    await until(() => pulled > 0, { what: 'the first bytes of the file' });
    await pause(200);
    // Some are on their way, in the memory of the system.
    expect(pulled).toBeLessThan(40 * MB);
    let taken = 0;
    for await (const chunk of response) taken += (chunk as Buffer).length;
    expect([taken, pulled]).toEqual([50 * MB, 50 * MB]);
    jest.restoreAllMocks();
  });

  it('gives none that is processed or has failed', async () => {
    const id = await aWaitingVideo(media, ana, someBytes(10));
    const status = async () => (await media.get(media.address(id, 0, undefined, 'video'))).status;
    expect(await status()).toBe(404);
    await hasBecome(media, id, 'failed');
    expect(await status()).toBe(404);
  });

  it('has addresses for its owner that live twice its length, and 5 minutes at least', async () => {
    const minutes = 60_000;
    for (const [durationMs, lifeMs] of [
      [4_000, 5 * minutes],
      [10 * minutes, 20 * minutes],
    ] as const) {
      const id = await aReadyVideo(media, ana, { file: someBytes(10), durationMs });
      const { url, thumbnail } = await videoOf(id);
      const statuses = async () => [(await media.get(url)).status, (await media.get(thumbnail)).status];
      media.service.clock.advance(lifeMs - 1);
      expect(await statuses()).toEqual([200, 200]);
      media.service.clock.advance(1);
      expect(await statuses()).toEqual([403, 403]);
    }
  });

  // Rule: MEDIA-22
  it('follows its post: epochs, moderators, suspended owners, deletion', async () => {
    const id = await aReadyVideo(media, ana, { file: someBytes(10) });
    const post = media.newId();
    await media.postIs(post, ana, 1, { mediaIds: [id], mediaEpoch: 1 });
    const status = async (epoch: number, lifeMs?: number) =>
      (await media.get(media.address(id, epoch, lifeMs, 'video'))).status;
    expect((await media.get(media.address(id, 1, undefined, 'video'))).headers.get('cache-control')).toBe(
      'public, max-age=3600, immutable',
    );
    expect([await status(0), await status(1)]).toEqual([403, 200]);
    expect(
      (await media.get(media.address(id, 1, undefined, 'video').replace('/video', '/thumbnail'))).status,
    ).toBe(403);
    await media.hides(post, 2);
    expect([await status(1), await status(1, FIVE_MINUTES_MS)]).toEqual([404, 200]);
    await media.hides(post, 3, false);
    const { USER_STATUS_ACTIVE, USER_STATUS_SUSPENDED } = UserStatus;
    await media.userIs(ana, 1, { status: USER_STATUS_SUSPENDED });
    expect(await status(1)).toBe(404);
    await media.userIs(ana, 2, { status: USER_STATUS_ACTIVE });
    expect(await status(1)).toBe(200);
    await media.postIs(post, ana, 4, { mediaIds: [], mediaEpoch: 1 });
    expect(await status(1)).toBe(404);
  });
});

// Rule: MEDIA-17
describe('the claim of a video', () => {
  it('tells posts what is known of it, also before it is processed', async () => {
    const [waiting, post] = [await aWaitingVideo(media, ana, someBytes(10)), media.newId()];
    const { ticket } = await media.claimVideo(ana, waiting, post);
    const jwks = JSON.parse(media.service.env['MEDIA_TICKET_JWKS']!) as never[];
    const verifier = createTicketVerifier({ jwks, clock: media.service.clock });
    const facts = await verifier.verify(postMediaTicket, ana, ticket);
    expect(facts).toMatchObject({
      postId: post,
      images: [],
      video: { id: waiting, bytes: 10, type: 'video/mp4' },
    });
    expect(await outcome(media.claimVideo(ana, waiting, media.newId()))).toBe(NOT_ATTACHABLE);
    await media.release(ana, [waiting], post);
    await media.claimVideo(ana, waiting, media.newId());
  });

  it('is refused for one that has failed, is not whole, is another’s, or is taken for an image', async () => {
    const failed = await aWaitingVideo(media, ana, someBytes(10));
    await hasBecome(media, failed, 'failed');
    const unfinished = await media.tusOf(ana).begin({ length: 10 });
    const others = await aWaitingVideo(media, ben, someBytes(10));
    const own = await aWaitingVideo(media, ana, someBytes(10));
    const image = (await media.upload(ana)).facts!.id;
    for (const id of [failed, unfinished, others, image, media.newId(), 'abc'])
      expect(await outcome(media.claimVideo(ana, id, media.newId()))).toBe(NOT_ATTACHABLE);
    expect(await outcome(media.claim(ana, [own], media.newId()))).toBe(NOT_ATTACHABLE);
    const profile = media.service.as(ana, (client) => client.claimForProfile({ id: own }));
    expect(await outcome(profile)).toBe(NOT_ATTACHABLE);
    const both = { ids: [image], videoId: own, postId: media.newId(), publicationKey: '' };
    expect(await outcome(media.service.as(ana, (client) => client.claimForPost(both)))).toBe(NOT_ATTACHABLE);
    await media.claimVideo(ana, own, media.newId());
  });
});

describe('a video that nobody has', () => {
  // Rule: MEDIA-13, MEDIA-14
  it('goes with all its files and frees its bytes, by its owner or after a day', async () => {
    const file = someBytes(1000);
    const [deleted, abandoned, waiting] = [
      await aReadyVideo(media, ana, { file }),
      await aReadyVideo(media, ana, { file }),
      await aWaitingVideo(media, ana, file),
    ];
    const filesOf = async (id: string) =>
      [...(await storedObjects(media)).keys()].filter((key) => key.includes(id)).length;
    expect([await filesOf(deleted), await filesOf(waiting)]).toEqual([3, 1]);
    expect(await media.used(ana)).toBe(3000);
    await media.delete(ana, deleted);
    await media.delete(ana, waiting);
    expect(await media.used(ana)).toBe(1000);
    media.service.clock.advance(DAY_MS);
    await media.remove();
    for (const id of [deleted, abandoned, waiting]) expect(await filesOf(id)).toBe(0);
    expect(await media.used(ana)).toBe(0);
  });

  // Rule: MEDIA-13
  it('is compared with what is stored, as its pieces are', async () => {
    await media.empty();
    const [ready, lost, waiting] = [
      await aReadyVideo(media, ana, { file: someBytes(1000) }),
      await aReadyVideo(media, ana, { file: someBytes(1000) }),
      await aWaitingVideo(media, ana, someBytes(1000)),
    ];
    const begun = await media.tusOf(ana).begin({ length: 2 * MB });
    await media.tusOf(ana).patch(begun, 0, someBytes(10));
    await media.service.tamper('DELETE FROM assets WHERE id = $1', [lost]);
    await writeFile(join(media.objects, piecesOf(begun), 'Odd_name'), 'x');
    await age();
    const { found, findings } = await media.service
      .get(Reconcile)
      .execute({ apply: true, limit: 100, remove: 10 });
    // The worker has not removed the pieces of the ready one, so they are found, too.
    expect(found).toEqual({ ownerless: 4, listed: 0, missing: 0, size: 0, unknown: 1, archive: 0 });
    expect(findings.filter(({ key }) => key.includes(lost))).toHaveLength(3);
    const keys = [...(await storedObjects(media)).keys()];
    const count = (id: string) => keys.filter((key) => key.includes(id)).length;
    expect([ready, lost, waiting, begun].map(count)).toEqual([2, 0, 1, 2]);
  });
});

/** Files of the last hour may belong to an upload that nobody has seen yet. */
async function age(): Promise<void> {
  const before = new Date(Date.now() - 2 * 60 * 60_000);
  for (const name of await readdir(media.objects, { recursive: true }))
    await utimes(join(media.objects, name), before, before);
}
