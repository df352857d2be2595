import { UserStatus } from '@pulso/contracts/identity/v1/events';
import { VideoStatus } from '@pulso/contracts/media/v1/media';
import { videoTopic } from '@pulso/contracts/topics/media';
import { outcome } from '@pulso/platform/testing/outcomes';
import { decodeTokens, WROTE } from '@pulso/platform/rpc/wire-metadata';
import { ObjectStore } from '@pulso/platform/objects/object-store';
import { until } from '@pulso/platform/testing/until';
import { jest } from '@jest/globals';
import { buffer } from 'node:stream/consumers';
import { StoredPieces } from '../src/store/stored-pieces.js';
import { UploadRepository } from '../src/store/upload.repository.js';
import { DAY_MS, TestMedia } from './start.js';
import { someBytes } from './support/a-video.js';
import { storedObjects } from './support/stored-objects.js';
import type { TusClient } from '@pulso/platform/testing/tus-client';
import { statusAndJson } from './support/upload-form.js';

const MB = 1024 * 1024;
const MINUTE_MS = 60_000;
const NOT_FOUND = [404, { code: 'not-found', message: 'Media not found' }];

let media: TestMedia;
let ana: string;
let ben: string;
let tus: TusClient;
beforeAll(async () => (media = await TestMedia.start()));
beforeEach(() => {
  [ana, ben] = [media.newId(), media.newId()];
  tus = media.tusOf(ana);
});
afterEach(() => void jest.restoreAllMocks());
afterAll(() => media?.stop());

const ascending = (one: number, other: number) => one - other;
const received = async (id: string) => buffer(await media.service.get(StoredPieces).open(id));
const videoOf = (id: string) =>
  media.service.as(ana, async (client) => (await client.getAsset({ id })).video!);
/** Of what the gateway is told that was written. */
const topicsOf = (answer: Response) =>
  decodeTokens(answer.headers.get(WROTE) ?? undefined).map(({ topic }) => topic);
/** Not by `HEAD`, which waits for who writes. */
const hasCome = (id: string, bytes: number) => {
  const received = () =>
    media.service.rows('SELECT FROM uploads WHERE id = $1 AND received = $2', [id, bytes]);
  return until(async () => (await received()).length === 1, { what: () => `${bytes} bytes of the upload` });
};

// Rule: MEDIA-8, MEDIA-9, MEDIA-23
describe('an upload in pieces', () => {
  it('says what it may be', async () => {
    const answer = await tus.ask('OPTIONS', '');
    expect([answer.status, Object.fromEntries(answer.headers)]).toEqual([
      204,
      expect.objectContaining({
        'tus-version': '1.0.0',
        'tus-extension': 'creation,expiration,termination',
        'tus-max-size': `${50 * MB}`,
      }),
    ]);
  });

  // Rule: MEDIA-13
  it('takes its room, comes chunk by chunk, and is a video to be processed with its last byte', async () => {
    const file = someBytes(3 * MB + 5);
    const created = await tus.create({
      length: file.length,
      name: 'día \u202e4pm.mp4',
      type: 'video/mp4; codecs="avc1"',
    });
    expect([created.status, created.headers.get('location')]).toEqual([
      201,
      expect.stringMatching(/^\/api\/uploads\/[\da-f-]{36}$/),
    ]);
    expect(Date.parse(created.headers.get('upload-expires')!)).toBeGreaterThan(Date.now());
    expect(topicsOf(created)).toEqual(['pulso.media.storage.v1']);
    const id = created.headers.get('location')!.split('/').at(-1)!;
    expect(await media.used(ana)).toBe(file.length);
    expect(await outcome(videoOf(id))).toBe('not-found not-found');
    const first = await tus.patch(id, 0, file.subarray(0, 2 * MB + 1));
    expect([first.status, first.headers.get('upload-offset')]).toEqual([204, `${2 * MB + 1}`]);
    const head = await tus.ask('HEAD', id);
    expect(Object.fromEntries(head.headers)).toMatchObject({
      'upload-offset': `${2 * MB + 1}`,
      'upload-length': `${file.length}`,
      'upload-metadata': expect.stringContaining('filetype'),
      'cache-control': 'no-store',
    });
    const last = await tus.patch(id, 2 * MB + 1, file.subarray(2 * MB + 1));
    expect([last.status, topicsOf(first), topicsOf(last).sort()]).toEqual([
      204,
      [],
      ['pulso.media.storage.v1', videoTopic.name],
    ]);
    expect((await received(id)).equals(file)).toBe(true);
    expect(await videoOf(id)).toMatchObject({
      facts: {
        ...{ id, status: VideoStatus.VIDEO_STATUS_PROCESSING, name: 'día 4pm.mp4', type: 'video/mp4' },
        ...{ bytes: file.length, durationMs: 0, problem: '' },
      },
      ...{ url: '', thumbnail: '', postId: '' },
    });
    expect([await media.used(ana), await tus.offsetOf(id)]).toEqual([file.length, file.length]);
    await media.service.drainEvents();
    expect(media.service.deliveredState(videoTopic, id)).toMatchObject({
      ownerId: ana,
      deleted: false,
      facts: { bytes: file.length },
    });
  });

  it('keeps what has come when its connection is cut, and goes on there', async () => {
    const file = someBytes(3 * MB);
    const id = await tus.begin({ length: file.length });
    const { request } = await tus.slowPatch(id, 0, file.length);
    request.write(file.subarray(0, MB + 1000));
    await hasCome(id, MB);
    request.destroy();
    await hasCome(id, MB + 1000);
    expect((await tus.patch(id, MB + 1000, file.subarray(MB + 1000))).status).toBe(204);
    expect((await received(id)).equals(file)).toBe(true);
  });

  it('tells where to go on once all that came before a cut is stored', async () => {
    const id = await tus.begin({ length: MB });
    const put = jest.spyOn(media.service.get(ObjectStore), 'put');
    const find = jest.spyOn(media.service.get(UploadRepository), 'find');
    let store = (): void => undefined;
    const stores = new Promise<void>((resolve) => (store = resolve));
    put.mockImplementationOnce(async (...given) => {
      await stores;
      await media.service.get(ObjectStore).put(...given);
    });
    // As the gateway ends it where the sender was cut.
    const cut = tus.patch(id, 0, someBytes(1000));
    await until(() => put.mock.calls.length === 1, { what: 'the bytes on their way to the store' });
    find.mockClear();
    const told = tus.offsetOf(id);
    await until(() => find.mock.calls.length > 0, { what: 'the question for its progress' });
    store();
    expect([await told, (await cut).status]).toEqual([1000, 204]);
  });

  it('tells what is stored where a writer goes on, and at once where one has died', async () => {
    const id = await tus.begin({ length: 2 * MB });
    const find = jest.spyOn(media.service.get(UploadRepository), 'find');
    const { request } = await tus.slowPatch(id, 0, 2 * MB);
    request.write(someBytes(MB + 1000));
    await hasCome(id, MB);
    find.mockClear();
    expect(await tus.offsetOf(id)).toBe(MB);
    expect(find.mock.calls.length).toBeGreaterThan(2);
    // As a kill leaves it: the mark stays, and lapses.
    media.service.clock.advance(MINUTE_MS);
    find.mockClear();
    expect(await tus.offsetOf(id)).toBe(MB);
    expect(find).toHaveBeenCalledTimes(2);
    request.destroy();
    await hasCome(id, MB + 1000);
  });

  it('goes on with one of two writers at the same place', async () => {
    const file = someBytes(4 * MB);
    const id = await tus.begin({ length: file.length });
    const statuses = await Promise.all(
      Array.from({ length: 3 }, async () => (await tus.patch(id, 0, file)).status),
    );
    expect(statuses.sort(ascending)).toEqual([204, 409, 409]);
    expect((await received(id)).equals(file)).toBe(true);
    const pieces = await media.service.rows('SELECT FROM upload_pieces WHERE upload_id = $1', [id]);
    const stored = [...(await storedObjects(media)).keys()].filter((key) => key.includes(id));
    expect(stored).toHaveLength(pieces.length);
  });

  it('begins once for one Idempotency-Key, and for another upload not at all', async () => {
    const ids = await Promise.all([1, 2, 3].map(() => tus.begin({ length: MB, key: 'k1' })));
    expect(new Set(ids).size).toBe(1);
    expect(await media.used(ana)).toBe(MB);
    await tus.patch(ids[0]!, 0, someBytes(MB));
    expect(await tus.begin({ length: MB, key: 'k1' })).toBe(ids[0]);
    expect(await statusAndJson(await tus.create({ length: MB + 1, key: 'k1' }))).toMatchObject([
      422,
      { code: 'idempotency-key-reused' },
    ]);
    expect(await media.tusOf(ben).begin({ length: MB, key: 'k1' })).not.toBe(ids[0]);
    media.service.clock.advance(DAY_MS + 1);
    expect(await tus.begin({ length: MB, key: 'k1' })).not.toBe(ids[0]);
  });

  it('is its owner’s alone', async () => {
    const id = await tus.begin({ length: MB });
    const other = media.tusOf(ben);
    expect(await statusAndJson(await other.patch(id, 0, someBytes(10)))).toEqual(NOT_FOUND);
    expect((await other.ask('HEAD', id)).status).toBe(404);
    expect(await statusAndJson(await other.ask('DELETE', id))).toEqual(NOT_FOUND);
    expect(await tus.offsetOf(id)).toBe(0);
    const nobody = await fetch(`${media.base}/uploads`, {
      method: 'POST',
      headers: { 'tus-resumable': '1.0.0' },
    });
    expect(nobody.status).toBe(401);
    await media.userIs(ana, 1, { status: UserStatus.USER_STATUS_SUSPENDED });
    expect((await tus.patch(id, 0, someBytes(10))).status).toBe(403);
    expect((await tus.create({ length: MB })).status).toBe(403);
  });

  // Rule: MEDIA-3
  it('has a name that is only shown, and decides no place', async () => {
    for (const [name, shown] of [
      ['../../x', '../../x'],
      ['/etc/passwd', '/etc/passwd'],
      ['..\\..\\x\u0000.mp4', '..\\..\\x.mp4'],
    ] as const) {
      const id = await tus.begin({ length: 10, name });
      expect((await tus.patch(id, 0, someBytes(10))).status).toBe(204);
      expect((await videoOf(id)).facts!.name).toBe(shown);
      const pieces = await media.service.rows<{ object_key: string }>(
        'SELECT object_key FROM upload_pieces WHERE upload_id = $1',
        [id],
      );
      expect(pieces.map(({ object_key: key }) => key)).toEqual([
        expect.stringMatching(new RegExp(`^uploads/${id.slice(-2)}/${id}/0-[\\w-]+$`)),
      ]);
    }
  });

  // Rule: MEDIA-14
  it('is gone a day after its last byte, with its pieces and its room', async () => {
    const id = await tus.begin({ length: 2 * MB });
    media.service.clock.advance(DAY_MS - 1);
    expect((await tus.patch(id, 0, someBytes(MB))).status).toBe(204);
    media.service.clock.advance(DAY_MS - 1);
    await media.remove();
    expect(await tus.offsetOf(id)).toBe(MB);
    media.service.clock.advance(1);
    expect(await tus.offsetOf(id)).toBeUndefined();
    expect(await statusAndJson(await tus.patch(id, MB, someBytes(MB)))).toEqual(NOT_FOUND);
    await media.remove();
    expect([await media.rows(ana), await media.used(ana)]).toEqual([[], 0]);
    expect([...(await storedObjects(media)).keys()].filter((key) => key.includes(id))).toEqual([]);
  });

  it('is ended by its owner at any time, also when it is whole, and not once a post has it', async () => {
    const [cut, whole] = [await tus.begin({ length: 2 * MB }), await tus.begin({ length: MB })];
    await tus.patch(cut, 0, someBytes(MB));
    await tus.patch(whole, 0, someBytes(MB));
    expect((await tus.ask('DELETE', cut)).status).toBe(204);
    expect((await tus.ask('DELETE', cut)).status).toBe(404);
    expect((await tus.patch(cut, MB, someBytes(MB))).status).toBe(404);
    const post = media.newId();
    await media.claimVideo(ana, whole, post);
    expect(await statusAndJson(await tus.ask('DELETE', whole))).toMatchObject([
      409,
      { code: 'media-attached' },
    ]);
    await media.postIs(post, ana, 1, { mediaIds: [whole] });
    expect((await videoOf(whole)).postId).toBe(post);
    expect((await tus.ask('DELETE', whole)).status).toBe(409);
    expect(await media.used(ana)).toBe(MB);
    await media.postIs(post, ana, 2, { deleted: true });
    media.service.clock.advance(DAY_MS);
    await media.remove();
    expect([await media.rows(ana), await media.used(ana)]).toEqual([[], 0]);
    await media.service.drainEvents();
    const [never, gone] = [cut, whole].map((id) => media.service.deliveredState(videoTopic, id));
    expect([never, gone]).toEqual([undefined, expect.objectContaining({ deleted: true })]);
    media.service.clock.advance(8 * DAY_MS);
    await media.remove();
    expect(await media.service.rows('SELECT FROM videos WHERE id = $1', [whole])).toEqual([]);
  });

  it('stores nothing more of one that was ended while its bytes came', async () => {
    const id = await tus.begin({ length: 3 * MB });
    const { request, answer } = await tus.slowPatch(id, 0, 3 * MB);
    request.write(someBytes(MB + 10));
    await hasCome(id, MB);
    await media.delete(ana, id);
    request.end(someBytes(2 * MB - 10));
    expect(await answer).toBe(404);
    await media.remove();
    expect([...(await storedObjects(media)).keys()].filter((key) => key.includes(id))).toEqual([]);
  });
});
