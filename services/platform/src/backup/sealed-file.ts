import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { StartError } from '../process/start-error.js';
import { allOf, outputOf, startProgram } from './program.js';

/** What identifies a file: its length, and its SHA-256 in hexadecimal digits. */
export interface Digest {
  bytes: number;
  sha256: string;
}

/**
 * Encrypts what `source` gives to the recipients, public keys of age (`age1…`), into the file `path`. Throws what the source throws, and
 * StartError if age fails; then the file is not whole.
 */
export async function seal(
  source: AsyncIterable<Uint8Array>,
  recipients: readonly string[],
  path: string,
): Promise<Digest> {
  const age = startProgram('age', ['--encrypt', ...recipients.flatMap((one) => ['--recipient', one])]);
  const hash = createHash('sha256');
  let bytes = 0;
  async function* measured(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  }
  try {
    await allOf([
      pipeline(source, age.stdin),
      pipeline(age.stdout, measured, createWriteStream(path, { mode: 0o600 })),
      age.done,
    ]);
  } finally {
    age.kill();
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** What the file `path` holds, decrypted with the private keys of the file `identity`. Throws StartError if age fails. */
export async function* unseal(path: string, identity: string): AsyncGenerator<Buffer> {
  const age = startProgram('age', ['--decrypt', '--identity', identity]);
  const fed = pipeline(createReadStream(path), age.stdin);
  // age says why it has ended; the pipe only breaks.
  fed.catch(() => undefined);
  yield* outputOf(age);
  await fed;
}

/** Throws StartError if the file is another one than was stored under `name`. */
export async function assertDigest(path: string, name: string, expected: Digest): Promise<void> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  if (bytes === expected.bytes && hash.digest('hex') === expected.sha256) return;
  throw new StartError(`${name} is damaged: it has ${bytes} bytes, and not those that its manifest names`);
}
