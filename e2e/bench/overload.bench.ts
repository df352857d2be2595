import autocannon from 'autocannon';
import { bearer, child, message, stop } from './bench-servers.js';

const CAPACITY_CONNECTIONS = 64;
const OVERLOAD_CONNECTIONS = Number(process.env.BENCH_CONNECTIONS ?? 1_000);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 8);
const ROUNDS = 3;

interface Load {
  /** Per second. */
  served: number;
  refused: number;
  /** In the whole run: connections that broke off, and requests without an answer for 10 s. */
  brokenOff: number;
  timedOut: number;
  /** Of what was served, in milliseconds. */
  p99: number;
}

/**
 * `GET /api/feed?limit=20` at twice the throughput that is measured right before (LIMIT-9). The result is the median
 * ratio of what is served to what was served before; the client takes its part of the same processors.
 */
export async function runOverloadBench(): Promise<object> {
  const pulso = child('feed-server.js');
  const { url, tokens } = await message<{ url: string; tokens: string[] }>(pulso);
  await load(url, tokens, { connections: CAPACITY_CONNECTIONS, duration: 3 });
  const rounds: { before: Load; overload: Load; ratio: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = await load(url, tokens, { connections: CAPACITY_CONNECTIONS, duration: SECONDS });
    const overallRate = Math.round(2 * before.served);
    const overload = await load(url, tokens, {
      connections: OVERLOAD_CONNECTIONS,
      duration: SECONDS,
      overallRate,
    });
    rounds.push({ before, overload, ratio: overload.served / before.served });
  }
  await stop(pulso);
  const ratios = rounds.map(({ ratio }) => ratio).sort((a, b) => a - b);
  return { ratio: ratios[Math.floor(ROUNDS / 2)], rounds };
}

function load(url: string, tokens: string[], options: Partial<autocannon.Options>): Promise<Load> {
  return new Promise((resolve, reject) => {
    const latencies: number[] = [];
    let refused = 0;
    const requests = tokens.map((token) => ({ method: 'GET' as const, headers: bearer(token) }));
    const run = autocannon({ url: `${url}/api/feed?limit=20`, requests, ...options }, (error, result) => {
      if (error) return reject(error as Error);
      latencies.sort((a, b) => a - b);
      resolve({
        served: latencies.length / result.duration,
        refused: refused / result.duration,
        // autocannon counts a timeout as an error, too.
        brokenOff: result.errors - result.timeouts,
        timedOut: result.timeouts,
        p99: latencies[Math.floor(latencies.length * 0.99)] ?? 0,
      });
    });
    run.on('response', (_client, status, _bytes, milliseconds) => {
      if (status === 200) latencies.push(milliseconds);
      else refused += 1;
    });
  });
}
