/** @jest-environment ../tools/shared-modules/node-environment.mjs */
import { describe, expect, it } from '@jest/globals';
import { aZip } from '../../../../test/a-zip.js';
import { aDocument, aSourcePost } from '../../../../test/an-archive.js';
import { ArchiveError } from './archive-error.js';
import { openArchive } from './read-archive.js';

const DOCUMENT = JSON.stringify(aDocument({ posts: { posts: [aSourcePost('p1')] } }));
const PICTURE = new TextEncoder().encode('a picture '.repeat(100));

const whole = { 'README.txt': 'This is', 'pulso-export.json': DOCUMENT, 'media/i1.jpg': PICTURE };

const faultOf = async (opening: Promise<unknown>) => {
  const error = await opening.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return error instanceof ArchiveError ? error.fault : error;
};

/** The bytes of `file` with each `from` changed to `to`. */
async function patched(file: Blob, from: number[], to: number[]): Promise<Blob> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let found = 0;
  for (let at = 0; at + from.length <= bytes.length; at += 1) {
    if (!from.every((byte, index) => bytes[at + index] === byte)) continue;
    bytes.set(to, at);
    found += 1;
  }
  expect(found).toBeGreaterThan(0);
  return new Blob([bytes]);
}

const numberBytes = (n: number) => [n & 255, (n >> 8) & 255, (n >> 16) & 255, (n >> 24) & 255];

// Rule: UI-78
describe('an archive', () => {
  it('gives its document and its files', async () => {
    const archive = await openArchive(await aZip(whole));
    expect(archive.source.posts).toHaveLength(1);
    expect([archive.sizeOf('i1'), archive.sizeOf('i2')]).toEqual([1000, undefined]);
    const picture = await archive.read('i1', 1000);
    expect(picture.type).toBe('image/jpeg');
    expect(new Uint8Array(await picture.arrayBuffer())).toEqual(PICTURE);
  });

  it('may have been unpacked, and packed again with its folder', async () => {
    const inFolder = Object.fromEntries(
      Object.entries(whole).map(([name, content]) => [`pulso-ana/${name}`, content]),
    );
    const archive = await openArchive(
      await aZip({ '__MACOSX/pulso-export.json': 'x', ...inFolder }, { level: 6 }),
    );
    expect((await archive.read('i1', 1000)).size).toBe(1000);
  });

  it('is refused where it is no zip, is cut, has a password, or no document', async () => {
    const zip = await aZip(whole);
    expect(await faultOf(openArchive(new Blob(['{"format":'])))).toBe('noZip');
    expect(await faultOf(openArchive(new Blob([])))).toBe('noZip');
    expect(await faultOf(openArchive(zip.slice(0, zip.size - 40)))).toBe('broken');
    expect(await faultOf(openArchive(await aZip(whole, { password: 'x', zipCrypto: true })))).toBe(
      'encrypted',
    );
    expect(await faultOf(openArchive(await aZip({ 'photo.jpg': PICTURE })))).toBe('noDocument');
  });

  it('is refused where its document is none, or too large', async () => {
    expect(await faultOf(openArchive(await aZip({ 'pulso-export.json': DOCUMENT.slice(0, -9) })))).toBe(
      'incomplete',
    );
    expect(await faultOf(openArchive(await aZip({ 'pulso-export.json': '{"format":"x"}' })))).toBe(
      'otherFormat',
    );
    expect(await faultOf(openArchive(await aZip(whole), 100))).toBe('tooLarge');
  });

  it('is not believed about the length of what it has packed', async () => {
    const zip = await aZip({ ...whole, 'media/i1.jpg': new Uint8Array(300_000) }, { level: 9 });
    const lies = await patched(zip, numberBytes(300_000), numberBytes(900));
    const archive = await openArchive(lies);
    expect(archive.sizeOf('i1')).toBe(900);
    expect(await faultOf(archive.read('i1', 1000))).toBe('broken');
    expect(await faultOf(archive.read('i1', 800))).toBe('tooLarge');
  });

  it('tells that a file in it is damaged', async () => {
    const from = [...new TextEncoder().encode('a picture a picture')];
    const archive = await openArchive(await patched(await aZip(whole), from, [...from].fill(65)));
    expect(await faultOf(archive.read('i1', 1000))).toBe('broken');
  });

  it('tells that the file was moved since it was chosen', async () => {
    const zip = await aZip(whole);
    let isGone = false;
    const refuse = () => {
      throw new DOMException('The file was moved', 'NotReadableError');
    };
    const gone = { size: zip.size, arrayBuffer: async () => refuse(), stream: refuse };
    const file = {
      size: zip.size,
      arrayBuffer: () => (isGone ? refuse() : zip.arrayBuffer()),
      slice: (from: number, to: number) => (isGone ? gone : zip.slice(from, to)),
    } as unknown as Blob;
    const archive = await openArchive(file);
    isGone = true;
    expect(await faultOf(archive.read('i1', 1000))).toBe('gone');
    expect(await faultOf(openArchive(file))).toBe('gone');
  });
});
