import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip, type Gunzip, type Gzip } from 'node:zlib';

/** `source`, compressed. Throws what the source throws. */
export const gzipped = (source: AsyncIterable<Uint8Array>) => through(source, createGzip());

/** What was compressed. Throws what the source throws, and where it is damaged or was cut off. */
export const gunzipped = (source: AsyncIterable<Uint8Array>) => through(source, createGunzip());

async function* through(source: AsyncIterable<Uint8Array>, zip: Gzip | Gunzip): AsyncGenerator<Buffer> {
  const fed = pipeline(source, zip);
  // The reader hears of it, too.
  fed.catch(() => undefined);
  yield* zip as AsyncIterable<Buffer>;
  await fed;
}
