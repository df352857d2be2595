import autocannon from 'autocannon';
import type { JWK } from 'jose';
import { bearer, child, message, stop } from './bench-servers.js';

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
  for (const server of [pulso, bare]) await stop(server);
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
