import autocannon from 'autocannon';
import type { JWK } from 'jose';
import { bearer, child, message, stop } from './bench-servers.js';

const CONNECTIONS = 10;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 8);
const ROUNDS = 3;
const PATH = '/api/badges';

/**
 * `GET /api/badges` where nothing has changed (304), by 100 users over 10 connections, against a bare Fastify that verifies
 * the same tokens (cached) and compares the same ETag. Rounds alternate; the result is the median ratio.
 */
export async function runBadgesHttpBench(): Promise<object> {
  const gateway = child('gateway-server.js');
  const { url, tokens, jwks } = await message<{ url: string; tokens: string[]; jwks: JWK[] }>(gateway);
  const answers = await Promise.all(
    tokens.map(async (token) => fetch(`${url}${PATH}`, { headers: bearer(token) })),
  );
  const etags = answers.map((answer) => answer.headers.get('etag')!);
  const body = await answers[0]!.text();
  const bare = child('bare-server.js');
  bare.send({ jwks, body, path: PATH, etags });
  const { url: bareUrl } = await message<{ url: string }>(bare);
  const requests = tokens.map((token, index) => ({
    method: 'GET' as const,
    headers: { ...bearer(token), 'if-none-match': etags[index]! },
  }));

  await load(url, requests, 2);
  await load(bareUrl, requests, 2);
  const rounds: { badges: number; bare: number; ratio: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const badges = await load(url, requests, SECONDS);
    const yardstick = await load(bareUrl, requests, SECONDS);
    rounds.push({ badges, bare: yardstick, ratio: badges / yardstick });
  }
  for (const server of [gateway, bare]) await stop(server);
  const ratios = rounds.map(({ ratio }) => ratio).sort((a, b) => a - b);
  return { ratio: ratios[Math.floor(ROUNDS / 2)], rounds };
}

/** Requests per second. */
async function load(url: string, requests: autocannon.Request[], seconds: number): Promise<number> {
  const result = await autocannon({
    url: `${url}${PATH}`,
    connections: CONNECTIONS,
    duration: seconds,
    requests,
  });
  const unchanged = result['3xx'];
  if (result.errors > 0 || result.non2xx > unchanged || unchanged === 0) {
    throw new Error(`${result.errors} errors and ${result.non2xx - unchanged} refusals under load at ${url}`);
  }
  return result.requests.average;
}
