import { EXPORT_END } from '@pulso/contracts/export-format';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { WholeDocument } from './whole-document.js';

/** A document that comes in chunks of so many bytes. */
function documentOf(
  text: string,
  chunkBytes: number,
  { requireRoom = () => Promise.resolve(), ...limits }: Limits = {},
): WholeDocument {
  const bytes = Buffer.from(text);
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunkBytes) }, (_, index) =>
    bytes.subarray(index * chunkBytes, (index + 1) * chunkBytes),
  );
  return new WholeDocument(Readable.from(chunks), requireRoom, limits);
}

interface Limits {
  requireRoom?: () => Promise<void>;
  mostBytes?: number;
  stepBytes?: number;
}

const read = (document: WholeDocument) => buffer(Readable.from(document.read()));
const WHOLE = `{"userId":"ä"${EXPORT_END}`;

// Rule: ACCT-45
describe('the document of an archive', () => {
  it.each([1, 3, 18, 19, 1_000])(
    'is whole where it comes to its end, in chunks of %i bytes',
    async (size) => {
      const document = documentOf(WHOLE, size);
      expect((await read(document)).toString()).toBe(WHOLE);
      expect(document.bytes).toBe(Buffer.byteLength(WHOLE));
    },
  );

  it.each(['', '}', WHOLE.slice(0, -1), `${WHOLE}\n`, WHOLE.replace('true', 'null')])(
    'is refused where it ends otherwise: %j',
    async (text) => {
      for (const size of [1, 1_000])
        await expect(read(documentOf(text, size))).rejects.toMatchObject({ code: 'unprocessable' });
    },
  );

  // Rule: LIMIT-20
  it('is refused where it is too long, before its end', async () => {
    const length = Buffer.byteLength(WHOLE);
    expect((await read(documentOf(WHOLE, 5, { mostBytes: length }))).length).toBe(length);
    const document = documentOf(WHOLE, 5, { mostBytes: length - 10 });
    await expect(read(document)).rejects.toMatchObject({ code: 'file-too-large' });
    expect(document.bytes).toBeLessThan(length);
  });

  // Rule: MEDIA-14
  it('asks for room at its beginning and as it comes, and ends where there is none', async () => {
    const text = `{"a":"${'x'.repeat(1_000)}"${EXPORT_END}`;
    const full = new Error('the disk is full');
    let asked = 0;
    const requireRoom = () => ((asked += 1) > 3 ? Promise.reject(full) : Promise.resolve());
    expect((await read(documentOf(text, 100, { requireRoom, stepBytes: 400 }))).toString()).toBe(text);
    expect(asked).toBe(3);
    const document = documentOf(text, 100, { requireRoom, stepBytes: 400 });
    await expect(read(document)).rejects.toBe(full);
    expect(document.bytes).toBe(100);
  });
});
