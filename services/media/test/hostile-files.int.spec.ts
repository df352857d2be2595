import { request as httpRequest } from 'node:http';
import { once } from 'node:events';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import '../src/picture/render-picture.js';
import {
  aGif,
  aPng,
  colourProfile,
  compressedText,
  HUNDRED_MB,
  INTERLACED_RGBA_16,
  pngChunk,
  SCRIPT,
  withMetadata,
  withProfile,
  withScans,
  withSegments,
  withSides,
} from './support/hostile-files.js';
import { storedObjects } from './support/stored-objects.js';
import { TestMedia } from './start.js';
import { aPicture, formOf, statusAndJson } from './support/upload-form.js';

let media: TestMedia;
let ana: string;
let jpeg: Buffer;
let progressive: Buffer;
beforeAll(async () => {
  [media, jpeg] = await Promise.all([TestMedia.start(), aPicture()]);
  progressive = await sharp(jpeg).jpeg({ progressive: true }).toBuffer();
});
beforeEach(() => (ana = media.newId()));
afterAll(() => media?.stop());

const latin = (text: string) => Buffer.from(text, 'latin1');
const UNSUPPORTED = {
  code: 'unsupported-media',
  message: 'Invalid file type. Allowed: .jpg, .jpeg, .png, .webp, .gif',
};
const TOO_LARGE = { code: 'file-too-large', message: 'File too large. Maximum size: 10MB' };

/** Nothing is left of an upload that was refused: no room, no row and no file. */
async function expectNothingKept(): Promise<void> {
  expect(await media.used(ana)).toBe(0);
  await media.remove();
  expect(await media.rows(ana)).toEqual([]);
  const ids = (await media.service.rows<{ id: string }>('SELECT id FROM assets')).map(({ id }) => id);
  const orphans = [...(await storedObjects(media)).keys()].filter(
    (key) => !ids.some((id) => key.includes(id)),
  );
  expect(orphans).toEqual([]);
}

// Rule: MEDIA-3, MEDIA-16
describe('a hostile file', () => {
  it.each<[string, () => Buffer]>([
    ['an SVG', () => latin('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
    ['a page', () => latin(SCRIPT)],
    ['a page behind the first bytes of a JPEG', () => Buffer.concat([jpeg.subarray(0, 3), latin(SCRIPT)])],
    ['a script behind the first bytes of a GIF', () => latin('GIF89a=1;/*' + 'x'.repeat(99) + '*/alert(1)')],
    ['an SVG behind the first bytes of a WebP', () => latin('RIFF\0\0\0\0WEBP<svg onload="alert(1)"/>')],
    ['a PDF', () => latin('%PDF-1.7\n1 0 obj')],
    ['a ZIP', () => latin('PK\x03\x04' + '\0'.repeat(99))],
    ['a PNG of 50,000 x 50,000', () => aPng(50_000, 50_000, { pixels: deflateSync(Buffer.alloc(1000)) })],
    ['a PNG of 40,001,998 pixels', () => aPng(4001, 9998, { pixels: deflateSync(Buffer.alloc(1000)) })],
    ['a GIF of 65,535 x 65,535', () => aGif(65_535, 65_535, 1)],
    ['a JPEG that says 65,500 x 65,500', () => withSides(jpeg, 65_500, 65_500)],
    ['a JPEG that is cut off', () => jpeg.subarray(0, jpeg.length - 200)],
    ['a PNG that is cut off', () => aPng(3000, 3000).subarray(0, 9000)],
    ['a PNG without pixels', () => aPng(50, 50, { pixels: Buffer.alloc(0) })],
    ['a GIF without a frame', () => aGif(50, 50, 0)],
    ['nothing', () => Buffer.alloc(0)],
    [
      'a PNG in 873,000 pieces',
      () => aPng(8, 8, { more: [Buffer.alloc(873_000 * 12, pngChunk('IDAT', Buffer.alloc(0)))] }),
    ],
    [
      'a PNG that takes 320 MB to decode',
      () => aPng(6320, 6320, { pixels: deflateSync(Buffer.alloc(1000)), format: INTERLACED_RGBA_16 }),
    ],
    ['a progressive JPEG that takes 120 MB to decode', () => withSides(progressive, 6320, 6320)],
    ['a progressive JPEG of 50 scans', () => withScans(progressive, 40)],
  ])('is refused and leaves nothing: %s', async (_name, file) => {
    const originalName = 'holiday.jpg';
    const answer = await media.post(ana, formOf({ file: file(), originalName }));
    expect(await statusAndJson(answer)).toEqual([422, UNSUPPORTED]);
    await expectNothingKept();
  });

  it.each<[string, () => Buffer, [number, number]]>([
    ['a JPEG with a page behind it', () => Buffer.concat([jpeg, latin(SCRIPT)]), [400, 300]],
    ['a JPEG with a page as its comment', () => withSegments(jpeg, 0xfe, [latin(SCRIPT)]), [400, 300]],
    ['a PNG that is a ZIP, too', () => Buffer.concat([aPng(50, 40), latin('PK\x03\x04hostile')]), [50, 40]],
    [
      'a GIF with a script behind it',
      () => Buffer.concat([aGif(50, 40, 1), latin('*/alert("hostile")')]),
      [50, 40],
    ],
    ['a GIF of 100,000 frames, of which the first is taken', () => aGif(300, 200, 100_000), [300, 200]],
    ['a JPEG with 9 MB of metadata', () => withMetadata(jpeg), [400, 300]],
    ['a JPEG with a false colour profile of 9 MB', () => withProfile(jpeg), [400, 300]],
    [
      'a PNG with 9 GB of texts',
      () => aPng(50, 40, { more: Array.from({ length: 90 }, () => compressedText(HUNDRED_MB)) }),
      [50, 40],
    ],
    [
      'a PNG with a colour profile of 100 MB',
      () => aPng(50, 40, { more: [colourProfile(HUNDRED_MB)] }),
      [50, 40],
    ],
    ['a PNG with 100 MB of pixels too many', () => aPng(50, 40, { pixels: HUNDRED_MB }), [50, 40]],
  ])('is stored as our own picture, without what it carried: %s', async (_name, file, [width, height]) => {
    const { facts, url, thumbnail } = await media.upload(ana, { file: file() });
    expect(facts).toMatchObject({ width, height });
    for (const address of [url, thumbnail]) {
      const answer = await media.get(address);
      expect(answer.headers.get('content-type')).toBe('image/jpeg');
      const bytes = Buffer.from(await answer.arrayBuffer());
      // Of these plain pictures ours take some KB, whatever came with them.
      expect(bytes.length).toBeLessThan(10_000);
      for (const carried of ['hostile', 'script', 'secret place', 'PK\x03\x04', 'AAAA'])
        expect([carried, bytes.includes(latin(carried))]).toEqual([carried, false]);
      const metadata = await sharp(bytes).metadata();
      expect(metadata.format).toBe('jpeg');
      for (const part of ['exif', 'icc', 'xmp', 'iptc', 'comments'])
        expect(metadata).not.toHaveProperty(part);
    }
  });

  it('meets a decoder of four kinds, one thread a picture and no cache', async () => {
    const picture = sharp(jpeg);
    const svg = latin('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
    const others = [svg, await picture.tiff().toBuffer(), await picture.avif().toBuffer()];
    for (const file of others)
      await expect(sharp(file).metadata()).rejects.toThrow('unsupported image format');
    expect(sharp.concurrency()).toBe(1);
    expect(sharp.cache()).toMatchObject({ memory: { max: 0 }, items: { max: 0 } });
  });
});

// Rule: MEDIA-16, LIMIT-10
describe('a hostile form', () => {
  it('without an end is answered while it is sent, and leaves nothing', async () => {
    const headers = {
      authorization: await media.service.authorizationOf(ana),
      'content-type': 'multipart/form-data; boundary=b',
    };
    const client = httpRequest(`${media.base}/images`, { method: 'POST', headers });
    client.on('error', () => undefined);
    const head = '--b\r\nContent-Disposition: form-data; name="purpose"\r\n\r\npost\r\n';
    client.write(`${head}--b\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n`);
    const chunk = Buffer.alloc(65_536, jpeg);
    let isAnswered = false;
    const more = () => {
      while (!isAnswered && client.write(chunk));
    };
    client.on('drain', more);
    more();
    const [answer] = (await once(client, 'response')) as [NodeJS.ReadableStream & { statusCode: number }];
    isAnswered = true;
    let text = '';
    for await (const part of answer) text += String(part);
    client.destroy();
    expect([answer.statusCode, JSON.parse(text)]).toEqual([413, TOO_LARGE]);
    await expectNothingKept();
  });

  it('of 100 MB is refused by its length', async () => {
    const answer = await media.post(ana, Buffer.alloc(100_000_000), {
      'content-type': 'multipart/form-data; boundary=b',
    });
    expect(await statusAndJson(answer)).toEqual([413, TOO_LARGE]);
    await expectNothingKept();
  });

  it('tells which field is wrong', async () => {
    const answer = await media.post(ana, formOf({ file: jpeg, originalSize: '-1' }));
    const errors = [{ path: 'originalSize', message: 'Must be a whole number of bytes', code: 'invalid' }];
    expect(await statusAndJson(answer)).toMatchObject([400, { code: 'validation-failed', errors }]);
  });

  it.each([
    '../../../etc/passwd',
    '..\\..\\boot.ini',
    '/etc/passwd',
    'a\u0000.svg',
    'a\r\nX-Evil: 1',
    '%2e%2e%2fx',
    '.',
  ])('cannot choose where its file goes: %j', async (name) => {
    const form = formOf({ originalName: name });
    form.set('file', new Blob([new Uint8Array(jpeg)]), name);
    const answer = await media.post(ana, form);
    expect(answer.status).toBe(201);
    const keys = [...(await storedObjects(media)).keys()];
    const ids = (await media.rows(ana)).map(({ id }) => id);
    expect(ids).toHaveLength(1);
    expect(keys.filter((key) => key.includes(ids[0]!)).sort()).toEqual(
      ['full', 'thumbnail'].map((variant) => `images/${ids[0]!.slice(-2)}/${ids[0]!}-${variant}.jpg`),
    );
    expect(
      keys.filter((key) => !/^images\/[0-9a-f]{2}\/[0-9a-f-]{36}-(?:full|thumbnail|avatar)\.jpg$/.test(key)),
    ).toEqual([]);
    const [shown] = await media.service.rows<{ original_name: string }>(
      'SELECT original_name FROM assets WHERE id = $1',
      ids,
    );
    expect(shown!.original_name).not.toMatch(/\p{Cc}/u);
  });
});
