import autocannon from 'autocannon';
import type { JWK } from 'jose';
import { benchPhoto } from './bench-photo.js';
import { bearer, child, message, stop } from './bench-servers.js';

const CONNECTIONS = 6;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 8);
const ROUNDS = 3;
const TYPE = 'multipart/form-data; boundary=bench';

interface Round {
  uploads: number;
  rendered: number;
  stored: number;
  ratio: number;
  ratioToStored: number;
}

/**
 * `POST /api/media/images` of a photo of 300 KB by 6 users at once, against a bare Fastify that takes the same form, brings
 * the picture to the same sizes with the same library and writes the files: uploads per second of both in alternating
 * rounds, and the median ratio (0.5 is required). `ratioToStored` is that to one that only writes the bytes.
 */
export async function runUploadsBench(): Promise<object> {
  const { full } = await benchPhoto();
  const pulso = child('media-server.js');
  const { url, tokens, jwks } = await message<{ url: string; tokens: string[]; jwks: JWK[] }>(pulso);
  const bare = child('bare-media-server.js');
  bare.send({ jwks, file: '' });
  const { url: bareUrl } = await message<{ url: string }>(bare);
  const body = formOf(full);
  const send = (to: string) => load(to, tokens, body, SECONDS);
  const [ours, rendered, stored] = [`${url}/api/media/images`, `${bareUrl}/rendered`, `${bareUrl}/stored`];

  for (const to of [ours, rendered, stored]) await load(to, tokens, body, 2);
  const rounds: Round[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const figures = { uploads: await send(ours), rendered: await send(rendered), stored: await send(stored) };
    const { uploads } = figures;
    rounds.push({
      ...figures,
      ratio: uploads / figures.rendered,
      ratioToStored: uploads / figures.stored,
    });
  }
  for (const server of [pulso, bare]) await stop(server);
  const median = (of: 'ratio' | 'ratioToStored') =>
    rounds.map((round) => round[of]).sort((a, b) => a - b)[Math.floor(ROUNDS / 2)];
  return { bytes: full.length, ratio: median('ratio'), ratioToStored: median('ratioToStored'), rounds };
}

function formOf(file: Buffer): Buffer {
  const field = '--bench\r\nContent-Disposition: form-data; name="purpose"\r\n\r\npost\r\n';
  const head = '--bench\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n';
  return Buffer.concat([Buffer.from(field + head), file, Buffer.from('\r\n--bench--\r\n')]);
}

/** Uploads per second. */
async function load(url: string, tokens: string[], body: Buffer, seconds: number): Promise<number> {
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: seconds,
    timeout: 60,
    requests: tokens.map((token) => ({
      method: 'POST',
      headers: { ...bearer(token), 'content-type': TYPE },
      body,
    })),
  });
  if (result.errors > 0 || result.non2xx > 0) {
    throw new Error(`${result.errors} errors and ${result.non2xx} refusals under load at ${url}`);
  }
  return result.requests.average;
}
