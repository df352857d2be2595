import autocannon from 'autocannon';
import { benchPhoto } from './bench-photo.js';
import { bearer, child, message, stop } from './bench-servers.js';

const CONNECTIONS = 10;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 8);
const ROUNDS = 3;

/**
 * `GET /media/{id}/full` and `/thumbnail` (300 KB and 12 KB), against a bare Fastify that streams the same bytes from disk:
 * files per second of both in alternating rounds, and the median ratio (0.6 is required).
 */
export async function runDeliveryBench(): Promise<object> {
  const { full } = await benchPhoto();
  const pulso = child('media-server.js');
  const { url, tokens } = await message<{ url: string; tokens: string[] }>(pulso);
  const id = await upload(url, tokens[0]!, full);
  const results: Record<string, object> = {};
  for (const variant of ['full', 'thumbnail']) {
    pulso.send({ sign: `/media/${id}/${variant}` });
    const { address } = await message<{ address: string }>(pulso);
    const ours = url + address;
    const bytes = Buffer.from(await (await fetch(ours)).arrayBuffer());
    const bare = child('bare-media-server.js');
    bare.send({ jwks: [], file: bytes.toString('base64') });
    const { url: bareUrl } = await message<{ url: string }>(bare);
    results[variant] = { bytes: bytes.length, ...(await compare(ours, `${bareUrl}/file`)) };
    await stop(bare);
  }
  await stop(pulso);
  return results;
}

async function compare(ours: string, theirs: string) {
  for (const url of [ours, theirs]) await load(url, 2);
  const rounds: { files: number; bare: number; ratio: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const [files, bare] = [await load(ours, SECONDS), await load(theirs, SECONDS)];
    rounds.push({ files, bare, ratio: files / bare });
  }
  const ratios = rounds.map(({ ratio }) => ratio).sort((a, b) => a - b);
  return { ratio: ratios[Math.floor(ROUNDS / 2)], rounds };
}

async function upload(url: string, token: string, file: Buffer): Promise<string> {
  const form = new FormData();
  form.append('purpose', 'post');
  form.append('file', new Blob([new Uint8Array(file)]), 'a.jpg');
  const init = { method: 'POST', headers: bearer(token), body: form };
  const answer = await fetch(`${url}/api/media/images`, init);
  if (answer.status !== 201) throw new Error(`The upload was refused with ${answer.status}`);
  return ((await answer.json()) as { id: string }).id;
}

/** Files per second. */
async function load(url: string, seconds: number): Promise<number> {
  const result = await autocannon({ url, connections: CONNECTIONS, duration: seconds });
  if (result.errors > 0 || result.non2xx > 0) {
    throw new Error(`${result.errors} errors and ${result.non2xx} refusals under load at ${url}`);
  }
  return result.requests.average;
}
