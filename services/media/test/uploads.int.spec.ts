import { rm, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { UserStatus } from '@pulso/contracts/identity/v1/events';
import { outcome } from '@pulso/platform/testing/outcomes';
import { until } from '@pulso/platform/testing/until';
import sharp from 'sharp';
import { PictureSlots } from '../src/upload/picture-slots.js';
import { TestMedia } from './start.js';
import { aPicture, formOf, statusAndJson } from './support/upload-form.js';

let media: TestMedia;
let ana: string;
let ben: string;
beforeAll(async () => (media = await TestMedia.start()));
beforeEach(() => ([ana, ben] = [media.newId(), media.newId()]));
afterAll(() => media?.stop());

const TOO_LARGE = { code: 'file-too-large', message: 'File too large. Maximum size: 10MB' };
const UNSUPPORTED = {
  code: 'unsupported-media',
  message: 'Invalid file type. Allowed: .jpg, .jpeg, .png, .webp, .gif',
};

describe('an upload', () => {
  // Rule: MEDIA-2, MEDIA-3, MEDIA-13
  it('is turned, made smaller and stripped, whatever its name says', async () => {
    const file = await sharp({ create: { width: 1500, height: 3000, channels: 3, background: 'red' } })
      .withExif({ IFD0: { Copyright: 'secret place' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const originalName = 'día "é" \u202e🏃\u200d♀️\u0000\u2067.svg\u200f';
    const image = await media.upload(ana, { file, originalName, originalSize: '5000000' });
    expect(image.facts).toMatchObject({
      ...{ width: 1920, height: 960, originalName: 'día "é" 🏃\u200d♀️.svg', originalSize: 5_000_000 },
      blurhash: expect.stringMatching(/^.{20,40}$/),
    });
    const full = await media.get(image.url);
    const bytes = Buffer.from(await full.arrayBuffer());
    expect(full.headers.get('content-type')).toBe('image/jpeg');
    expect(bytes.includes('secret place')).toBe(false);
    expect(await sharp(bytes).metadata()).not.toHaveProperty('exif');
    expect(image.facts!.bytes).toBe(bytes.length);
    const thumbnail = await sharp(await (await media.get(image.thumbnail)).arrayBuffer()).metadata();
    expect(thumbnail).toMatchObject({ width: 300, height: 150, format: 'jpeg' });
    expect(await media.used(ana)).toBe(bytes.length);
    expect(await media.service.as(ana, (client) => client.getAsset({ id: image.facts!.id }))).toEqual({
      image,
    });
    expect(await outcome(media.service.as(ben, (client) => client.getAsset({ id: image.facts!.id })))).toBe(
      'not-found not-found',
    );
  });

  // Rule: MEDIA-4, MEDIA-6
  it('may be a png, a webp or a gif, and an avatar becomes a square', async () => {
    const picture = sharp(await aPicture(640, 200));
    for (const format of ['png', 'webp', 'gif'] as const)
      await media.upload(ana, { file: await picture.toFormat(format).toBuffer() });
    const { facts, url, thumbnail } = await media.upload(ana, {
      purpose: 'avatar',
      file: await aPicture(900, 700),
    });
    expect(facts).toMatchObject({ width: 512, height: 512 });
    expect(thumbnail).toBe(url);
    expect((await media.get(url)).status).toBe(200);
    expect(await media.statusOf(facts!.id)).toBe(404);
    const small = await media.upload(ana, { purpose: 'avatar', file: await aPicture(90, 40) });
    expect(small.facts).toMatchObject({ width: 40, height: 40 });
  });

  // Rule: MEDIA-1, MEDIA-3, MEDIA-16
  it('is refused when it is no picture, broken, too long or has too many pixels, and keeps nothing', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
    const picture = await aPicture();
    const files = [
      ...[svg, Buffer.from('hello'), Buffer.alloc(0), picture.subarray(0, picture.length / 2)],
      Buffer.concat([picture.subarray(0, 20), svg]),
      await sharp({ create: { width: 8000, height: 6000, channels: 3, background: 'red' } })
        .png()
        .toBuffer(),
      await sharp(picture).tiff().toBuffer(),
      await aLine(20_001, 1),
      await aLine(1, 20_001),
    ];
    for (const file of files)
      expect(await statusAndJson(await media.post(ana, formOf({ file })))).toEqual([422, UNSUPPORTED]);
    expect(await media.used(ana)).toBe(0);
    await media.remove();
    expect(await media.rows(ana)).toEqual([]);
    expect((await media.upload(ana, { file: await aLine(20_000, 1) })).facts).toMatchObject({ width: 1920 });
  });

  // Rule: MEDIA-1, MEDIA-16
  it('is refused when it is too large, with and without a length', async () => {
    const file = Buffer.alloc(media.limits.fileBytes + 1);
    expect(await statusAndJson(await media.post(ana, formOf({ file })))).toEqual([413, TOO_LARGE]);
    expect(await statusAndJson(await media.post(ana, Buffer.alloc(12_000_000)))).toEqual([413, TOO_LARGE]);
    const { headers, body } = new Response(formOf({ file }));
    const type = { 'content-type': headers.get('content-type')! };
    expect(await statusAndJson(await media.post(ana, body!, type))).toEqual([413, TOO_LARGE]);
    expect(await media.used(ana)).toBe(0);
  });

  it('is refused in another form', async () => {
    const file = await aPicture();
    const after = formOf({ file });
    after.set('originalName', 'late');
    const strange = new FormData();
    strange.set('colour', 'red');
    const two = formOf({ file });
    two.append('file', new Blob(['b']), 'b.jpg');
    const twice = new FormData();
    for (const value of ['post', 'post']) twice.append('purpose', value);
    const forms = [after, strange, two, twice, formOf({}), formOf({ purpose: 'video', file })];
    for (const form of [...forms, formOf({ file, originalSize: '-1' })]) {
      expect(await statusAndJson(await media.post(ana, form))).toMatchObject([
        400,
        { code: 'validation-failed' },
      ]);
    }
    const malformed = { 'content-type': 'multipart/form-data' };
    for (const type of [malformed, { 'content-type': 'text/plain' }])
      expect((await media.post(ana, 'x', type)).status).toBe(400);
    expect(await media.used(ana)).toBe(0);
  });

  it('needs a caller whose account is not suspended', async () => {
    const anonymous = await fetch(`${media.base}/images`, { method: 'POST', body: formOf({}) });
    expect(await statusAndJson(anonymous)).toMatchObject([401, { code: 'not-authenticated' }]);
    const forged = await media.post(ana, formOf({}), { authorization: 'Bearer x.y.z' });
    expect(await statusAndJson(forged)).toMatchObject([401, { code: 'user-token-expired' }]);
    await media.userIs(ana, 1, { status: UserStatus.USER_STATUS_SUSPENDED });
    expect(await statusAndJson(await media.post(ana, formOf({})))).toMatchObject([
      403,
      { code: 'user-disabled' },
    ]);
    expect((await media.get('/elsewhere')).status).toBe(404);
  });

  // Rule: MEDIA-14
  it('is refused before its bytes are taken when the storage is full, counting what others reserve', async () => {
    const { facts } = await media.upload(ana);
    await media.service.rows('UPDATE assets SET bytes = 524288000 - 1000 WHERE id = $1', [facts!.id]);
    const refused = await media.post(ana, formOf({ file: await aPicture() }));
    expect(await statusAndJson(refused)).toEqual([
      413,
      { code: 'quota-exceeded', message: 'Storage quota exceeded' },
    ]);
    expect(await media.used(ana)).toBe(524_288_000 - 1000);
  });

  // Rule: MEDIA-14
  it('frees slot and room when the client leaves, and others wait for their turn', async () => {
    const { limits } = media;
    const leaving = await Promise.all([begin(ana), begin(ana)]);
    await until(async () => (await media.rows(ana)).length === 2, { what: 'two uploads that have begun' });
    expect(await media.used(ana)).toBe(2 * 100_000);
    limits.waitMs = 50;
    expect((await media.post(ana, formOf({ file: await aPicture() }))).status).toBe(503);
    limits.waitMs = 60_000;
    const waiting = media.upload(ana);
    for (const client of leaving) client.destroy();
    const { facts } = await waiting;
    const isFreed = async () => (await media.used(ana)) === facts!.bytes;
    await until(isFreed, { what: 'the room of the clients that left' });
  });

  // Rule: LIMIT-10
  it('waits while another picture of its owner is worked on, and holds up nobody else', async () => {
    const { limits, service } = media;
    const release = await service.get(PictureSlots).take(ana, new AbortController().signal);
    limits.waitMs = 50;
    try {
      expect((await media.post(ana, formOf({ file: await aPicture() }))).status).toBe(503);
      expect((await media.post(ben, formOf({ file: await aPicture() }))).status).toBe(201);
    } finally {
      release();
      limits.waitMs = 20_000;
    }
    expect((await media.post(ana, formOf({ file: await aPicture() }))).status).toBe(201);
  });

  // Rule: LIMIT-10
  it('is refused for an hour when its owner has sent too much that could not be used, and from nobody else', async () => {
    const { limits, service } = media;
    limits.costlyPerHour = 2;
    const bad = formOf({ file: Buffer.from('hello') });
    const good = async () => formOf({ file: await aPicture() });
    try {
      expect((await media.post(ana, bad)).status).toBe(422);
      expect((await media.post(ana, await good())).status).toBe(201);
      expect((await media.post(ana, bad)).status).toBe(422);
      const message = 'Too many of your pictures could not be used. Please try again later.';
      const refusal = { code: 'too-many-requests', message, retryAfter: 3600 };
      expect(await statusAndJson(await media.post(ana, await good()))).toEqual([429, refusal]);
      expect((await media.post(ben, await good())).status).toBe(201);
      service.clock.advance(60 * 60_000);
      expect((await media.post(ana, await good())).status).toBe(201);
      // Those that take long count as well.
      limits.costlyMs = -1;
      await media.upload(ana);
      await media.upload(ana);
      expect((await media.post(ana, await good())).status).toBe(429);
    } finally {
      Object.assign(limits, { costlyPerHour: 70, costlyMs: 1_000 });
    }
  });

  // Rule: MEDIA-14
  it('is refused while the disk has less room than is left for others', async () => {
    const { limits } = media;
    const { diskReserveBytes } = limits;
    limits.diskReserveBytes = Number.MAX_SAFE_INTEGER;
    try {
      const message = 'There is no room for files right now. Please try again later.';
      const refusal = { code: 'unavailable', message, retryAfter: 60 };
      expect(await statusAndJson(await media.post(ana, formOf({ file: await aPicture() })))).toEqual([
        503,
        refusal,
      ]);
      expect(await media.used(ana)).toBe(0);
    } finally {
      limits.diskReserveBytes = diskReserveBytes;
    }
    expect((await media.post(ana, formOf({ file: await aPicture() }))).status).toBe(201);
  });

  it('is ended when it is too slow', async () => {
    media.limits.paceMs = 100;
    try {
      const client = await begin(ana);
      let status: number | undefined;
      client.once('response', ({ statusCode }) => (status = statusCode));
      expect(await until(() => status, { what: 'the answer to the slow upload' })).toBe(408);
      await until(async () => (await media.used(ana)) === 0, { what: 'the room of the slow upload' });
    } finally {
      media.limits.paceMs = 10_000;
    }
  });

  it('is answered 503, and keeps nothing, while files cannot be stored', async () => {
    const images = join(media.objects, 'images');
    await rm(images, { recursive: true, force: true });
    await writeFile(images, '');
    expect((await media.post(ana, formOf({ file: await aPicture() }))).status).toBe(503);
    await rm(images);
    expect(await media.used(ana)).toBe(0);
  });
});

const aLine = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: 'red' } })
    .png()
    .toBuffer();

/** A client that has sent its headers and the begin of its form. */
async function begin(userId: string) {
  const headers = {
    authorization: await media.service.authorizationOf(userId),
    'content-type': 'multipart/form-data; boundary=b',
    'content-length': 100_000,
  };
  const client = httpRequest(`${media.base}/images`, { method: 'POST', headers });
  client.on('error', () => undefined);
  client.write('--b\r\n');
  return client;
}
