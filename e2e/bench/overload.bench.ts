import { bearer, child, message, stop } from './bench-servers.js';
import { pacedLoad, type PacedLoad } from './paced-load.js';

const CAPACITY_CONNECTIONS = 64;
const OVERLOAD_CONNECTIONS = Number(process.env.BENCH_CONNECTIONS ?? 1_000);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 10);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
/** More than is ever served: every connection sends again as soon as it has its answer. */
const AS_FAST_AS_CAN = 100_000;
const AFTER_MS = 2_000;

/**
 * `GET /api/feed?limit=20` at twice the throughput that is measured right before (LIMIT-5, LIMIT-9), and at half of it two
 * seconds later. The result is the median ratio of what is served to what was served before; the client takes its part
 * of the same processors.
 */
export async function runOverloadBench(): Promise<object> {
  const pulso = child('feed-server.js');
  const { url, tokens } = await message<{ url: string; tokens: string[] }>(pulso);
  const port = Number(new URL(url).port);
  const requests = tokens.map((token) => feedRequest(token, port));
  const load = (rate: number, connections: number, seconds = SECONDS) =>
    pacedLoad(port, requests, { rate, connections, seconds });
  await load(AS_FAST_AS_CAN, CAPACITY_CONNECTIONS, 5);
  const rounds: { before: PacedLoad; overload: PacedLoad; after: PacedLoad; ratio: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = await load(AS_FAST_AS_CAN, CAPACITY_CONNECTIONS);
    const overload = await load(2 * before.served, OVERLOAD_CONNECTIONS);
    await new Promise((resolve) => setTimeout(resolve, AFTER_MS));
    const after = await load(before.served / 2, CAPACITY_CONNECTIONS, 3);
    rounds.push({ before, overload, after, ratio: overload.served / before.served });
    console.log(JSON.stringify(rounds.at(-1)));
  }
  await stop(pulso);
  const ratios = rounds.map(({ ratio }) => ratio).sort((a, b) => a - b);
  return { ratio: ratios[Math.floor(ROUNDS / 2)], rounds };
}

function feedRequest(token: string, port: number): Buffer {
  const headers = { host: `127.0.0.1:${port}`, ...bearer(token) };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return Buffer.from(['GET /api/feed?limit=20 HTTP/1.1', ...lines, '', ''].join('\r\n'));
}
