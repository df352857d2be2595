import type { TusClient } from '@pulso/platform/testing/tus-client';
import { buffer } from 'node:stream/consumers';
import { StoredPieces } from '../src/store/stored-pieces.js';
import { PIECES_MAX, UNFINISHED_UPLOADS_MAX } from '../src/store/upload.repository.js';
import { TestMedia } from './start.js';
import { someBytes } from './support/a-video.js';
import { statusAndJson } from './support/upload-form.js';

const MB = 1024 * 1024;
const QUOTA = 524_288_000;

let media: TestMedia;
let ana: string;
let ben: string;
let tus: TusClient;
beforeAll(async () => (media = await TestMedia.start()));
beforeEach(() => {
  [ana, ben] = [media.newId(), media.newId()];
  tus = media.tusOf(ana);
});
afterAll(() => media?.stop());

const ascending = (one: number, other: number) => one - other;
const received = async (id: string) => buffer(await media.service.get(StoredPieces).open(id));
const videoOf = (id: string) =>
  media.service.as(ana, async (client) => (await client.getAsset({ id })).video!);

const KIND = { code: 'unsupported-media', message: 'Invalid file type. Allowed: .mp4, .webm, .ogg' };
const LARGE = { code: 'file-too-large', message: 'File too large. Maximum size: 50MB' };

// Rule: MEDIA-9, MEDIA-14, MEDIA-16
describe('an upload is refused', () => {
  it('when it is created as no video, or as too large a one', async () => {
    for (const type of ['image/jpeg', 'video/quicktime', 'application/octet-stream', '', null])
      expect(await statusAndJson(await tus.create({ length: MB, type }))).toEqual([422, KIND]);
    expect(await statusAndJson(await tus.create({ length: 0 }))).toEqual([422, KIND]);
    for (const length of [50 * MB + 1, 4 * 1024 * MB, Number.MAX_SAFE_INTEGER])
      expect(await statusAndJson(await tus.create({ length }))).toEqual([413, LARGE]);
    expect((await tus.create({ length: 50 * MB, type: 'VIDEO/WebM' })).status).toBe(201);
    expect(await media.used(ana)).toBe(50 * MB);
  });

  it('by the quota, before its bytes come, however many are created at once', async () => {
    await media.service.rows(
      `INSERT INTO assets (id, owner_id, state, purpose, bytes, created_at, attached_to)
       VALUES ($1, $2, 'ready', 'post', $3, now(), $1)`,
      [media.newId(), ana, QUOTA - 5 * MB],
    );
    const statuses = await Promise.all(
      Array.from({ length: 8 }, async () => (await tus.create({ length: 2 * MB })).status),
    );
    expect(statuses.sort(ascending)).toEqual([201, 201, 413, 413, 413, 413, 413, 413]);
    expect(await statusAndJson(await tus.create({ length: 2 * MB }))).toEqual([
      413,
      { code: 'quota-exceeded', message: 'Storage quota exceeded' },
    ]);
  });

  // Rule: LIMIT-17
  it('while too many of its account are not finished', async () => {
    const ids = await Promise.all(
      Array.from({ length: UNFINISHED_UPLOADS_MAX }, () => tus.begin({ length: 10 })),
    );
    expect(await statusAndJson(await tus.create({ length: 10 }))).toMatchObject([
      429,
      { code: 'too-many-requests', retryAfter: 60 },
    ]);
    await tus.patch(ids[0]!, 0, someBytes(10));
    expect((await tus.create({ length: 10 })).status).toBe(201);
    expect((await media.tusOf(ben).create({ length: 10 })).status).toBe(201);
  });

  // Rule: LIMIT-17
  it('once it has come in too many pieces', async () => {
    const id = await tus.begin({ length: MB });
    await media.service.rows(
      `INSERT INTO upload_pieces (upload_id, start, bytes, object_key)
       SELECT $1, n, 1, 'x' FROM generate_series(0, $2::integer - 1) AS n`,
      [id, PIECES_MAX],
    );
    await media.service.rows('UPDATE uploads SET received = $2 WHERE id = $1', [id, PIECES_MAX]);
    expect(await statusAndJson(await tus.patch(id, PIECES_MAX, someBytes(1)))).toMatchObject([
      422,
      { code: 'unprocessable' },
    ]);
    expect(await tus.offsetOf(id)).toBe(PIECES_MAX);
  });

  it.each<[string, Record<string, string>, number]>([
    ['a negative length', { 'upload-length': '-1' }, 400],
    ['a broken length', { 'upload-length': '1e3' }, 400],
    ['a length beyond all numbers', { 'upload-length': '9'.repeat(40) }, 400],
    ['two lengths', { 'upload-defer-length': '1' }, 501],
    ['another version', { 'tus-resumable': '2.0.0' }, 400],
    ['metadata in no encoding', { 'upload-metadata': 'filename ###' }, 400],
    ['metadata twice', { 'upload-metadata': 'filename YQ==,filename YQ==' }, 400],
    ['metadata of prototypes', { 'upload-metadata': '__proto__ YQ==' }, 400],
    ['a part of another upload', { 'upload-concat': 'partial' }, 501],
    ['metadata without end', { 'upload-metadata': `filename ${'YWFh'.repeat(8_000)}` }, 431],
  ])('with %s', async (_what, headers, status) => {
    expect((await tus.create({ length: 10, headers })).status).toBe(status);
    expect(await media.used(ana)).toBe(0);
  });

  it('whose length is to be told later', async () => {
    const later = { 'upload-defer-length': '1', 'upload-metadata': 'filetype dmlkZW8vbXA0' };
    expect((await tus.ask('POST', '', later)).status).toBe(501);
    expect((await tus.ask('POST', '', { 'upload-metadata': later['upload-metadata'] })).status).toBe(400);
  });

  it('with bytes that do not belong there', async () => {
    const id = await tus.begin({ length: 100 });
    const bytes = someBytes(50);
    const statuses = [];
    for (const offset of ['-1', '1', '100', '1e1', '9'.repeat(30)])
      statuses.push((await tus.patch(id, offset, bytes)).status);
    expect(statuses).toEqual([400, 409, 409, 400, 400]);
    expect((await tus.patch(id, 0, someBytes(101))).status).toBe(413);
    expect((await tus.patch(id, 0, bytes, { 'content-type': 'text/plain' })).status).toBe(400);
    for (const other of [media.newId(), 'abc', '..%2f..', 'a'.repeat(5000)])
      expect((await tus.patch(other, 0, bytes)).status).toBe(404);
    expect([await tus.offsetOf(id), (await tus.ask('GET', id)).status]).toEqual([0, 404]);
  });
});

describe('a small video in one request', () => {
  const post = async (file: Uint8Array, { type = 'video/webm', name = 'a\u0000.webm' } = {}) => {
    const form = new FormData();
    form.set('file', new Blob([file as Uint8Array<ArrayBuffer>], { type }), name);
    const authorization = await media.service.authorizationOf(ana);
    return fetch(`${media.base}/videos`, { method: 'POST', body: form, headers: { authorization } });
  };

  // Rule: MEDIA-9
  it('is what a whole upload in pieces is', async () => {
    const file = someBytes(256 * 1024);
    expect((await post(file)).status).toBe(201);
    const [{ id }] = (await media.rows(ana)) as unknown as [{ id: string }];
    expect(await videoOf(id)).toMatchObject({ facts: { type: 'video/webm', bytes: file.length } });
    expect((await received(id)).equals(file)).toBe(true);
    expect(await media.used(ana)).toBe(file.length);
  });

  it('is refused as no video, as nothing, and above 256 KiB', async () => {
    expect(await statusAndJson(await post(someBytes(9), { type: 'image/png' }))).toEqual([422, KIND]);
    expect(await statusAndJson(await post(someBytes(0)))).toEqual([422, KIND]);
    for (const more of [1, MB])
      expect(await statusAndJson(await post(someBytes(256 * 1024 + more)))).toMatchObject([
        413,
        { code: 'file-too-large' },
      ]);
    expect(await media.rows(ana)).toEqual([]);
  });
});
