import { fork } from 'node:child_process';
import type { IncomingMessage } from 'node:http';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { message, openStream, stop } from './bench-servers.js';

const STREAMS = Number(process.env.BENCH_STREAMS ?? 2_000);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 8);
/** Opened at once. */
const OPENERS = 50;
const SIGNALS_PER_SECOND = 200;

type Memory = NodeJS.MemoryUsage;

/**
 * Open streams of `GET /api/events` on one gateway, each of a user of its own: memory per stream after a garbage collection
 * (60 KB are allowed), and the p99 of `GET /api/config` beside them, while 200 users a second are signalled, over that
 * without them (2 is allowed).
 */
export async function runEventStreamsBench(): Promise<object> {
  const file = fileURLToPath(new URL('gateway-server.js', import.meta.url));
  const env = { ...process.env, BENCH_USERS: String(STREAMS) };
  const gateway = fork(file, { env, execArgv: ['--expose-gc'] });
  const memory = () => {
    gateway.send('memory');
    return message<Memory>(gateway);
  };
  const { url, tokens } = await message<{ url: string; tokens: string[] }>(gateway);
  await p99(url, 2);
  const before = await p99(url, SECONDS);
  const empty = await memory();

  const streams: IncomingMessage[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: OPENERS }, async () => {
      while (next < STREAMS) streams.push(await openStream(url, tokens[next++]!));
    }),
  );
  const full = await memory();

  let signalled = 0;
  const timer = setInterval(
    () => gateway.send({ signal: signalled++ % STREAMS }),
    1_000 / SIGNALS_PER_SECOND,
  );
  const beside = await p99(url, SECONDS);
  clearInterval(timer);
  for (const stream of streams) stream.destroy();
  await stop(gateway);

  const each = (of: (memory: Memory) => number) => Math.round((of(full) - of(empty)) / STREAMS / 102.4) / 10;
  return {
    streams: STREAMS,
    kilobytesEach: {
      resident: each(({ rss }) => rss),
      heap: each(({ heapUsed, external }) => heapUsed + external),
    },
    p99: { before, beside, ratio: beside / before },
  };
}

async function p99(url: string, seconds: number): Promise<number> {
  const result = await autocannon({
    url: `${url}/api/config`,
    connections: 5,
    duration: seconds,
    overallRate: 500,
  });
  if (result.errors > 0 || result.non2xx > 0) throw new Error('Other calls were refused');
  return result.latency.p99;
}
