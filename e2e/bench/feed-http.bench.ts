import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import type { JWK } from 'jose';

const CONNECTIONS = 10;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 8);
const ROUNDS = 3;

interface Round {
  requestsPerSecond: number;
  p50: number;
  p99: number;
}

/**
 * `GET /api/feed?limit=20` with 100,000 posts, 10 connections and 100 rotating viewers, against a bare Fastify that
 * verifies the same tokens (cached) and sends the same bytes. Rounds alternate; the result is the median ratio.
 */
export async function runFeedHttpBench(): Promise<object> {
  const pulso = child('feed-server.js');
  const { url, tokens, jwks } = await message<{ url: string; tokens: string[]; jwks: JWK[] }>(pulso);
  const body = await (await fetch(`${url}/api/feed?limit=20`, { headers: bearer(tokens[0]!) })).text();
  const bare = child('bare-server.js');
  bare.send({ jwks, body });
  const { url: bareUrl } = await message<{ url: string }>(bare);

  await load(url, tokens, 3);
  await load(bareUrl, tokens, 2);
  const rounds: { feed: Round; bare: Round; ratio: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const feed = await load(url, tokens, SECONDS);
    const yardstick = await load(bareUrl, tokens, SECONDS);
    rounds.push({ feed, bare: yardstick, ratio: feed.requestsPerSecond / yardstick.requestsPerSecond });
  }
  for (const server of [pulso, bare]) {
    server.send('stop');
    await new Promise((resolve) => server.once('exit', resolve));
  }
  const ratios = rounds.map(({ ratio }) => ratio).sort((a, b) => a - b);
  return { bytes: Buffer.byteLength(body), ratio: ratios[Math.floor(ROUNDS / 2)], rounds };
}

async function load(url: string, tokens: string[], seconds: number): Promise<Round> {
  const result = await autocannon({
    url: `${url}/api/feed?limit=20`,
    connections: CONNECTIONS,
    duration: seconds,
    requests: tokens.map((token) => ({ method: 'GET', headers: bearer(token) })),
  });
  if (result.errors > 0 || result.non2xx > 0) {
    throw new Error(`${result.errors} errors and ${result.non2xx} refusals under load at ${url}`);
  }
  return { requestsPerSecond: result.requests.average, p50: result.latency.p50, p99: result.latency.p99 };
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** Both run with the options of `npm start`. */
const child = (file: string): ChildProcess =>
  fork(fileURLToPath(new URL(file, import.meta.url)), { execArgv: ['--max-semi-space-size=64'] });

function message<T>(from: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    from.once('message', resolve as (value: unknown) => void);
    from.once('exit', (code) => reject(new Error(`A server of the benchmark ended with code ${code}`)));
  });
}
