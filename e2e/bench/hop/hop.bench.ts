import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { WAYS } from './hop-ways.js';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 7);
const CALLS = Number(process.env.BENCH_HOP_CALLS ?? 4_000);
/** Rounds before those that count. */
const WARM_UP = 2;

interface Side {
  name: string;
  server: ChildProcess;
  client: ChildProcess;
}

const next = <T>(from: ChildProcess): Promise<T> =>
  new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`A side of the hop ended with code ${code}`));
    from.once('exit', ended);
    from.once('message', (value) => {
      from.off('exit', ended);
      resolve(value as T);
    });
  });

const peer = (...args: string[]) =>
  fork(fileURLToPath(new URL('hop-peer.js', import.meta.url)), args, {
    execArgv: ['--max-semi-space-size=64'],
  });

async function start(name: string): Promise<Side> {
  const server = peer(name, 'server');
  const { port } = await next<{ port: number }>(server);
  const client = peer(name, 'client', String(port));
  await next(client);
  return { name, server, client };
}

async function cpuOf(server: ChildProcess): Promise<number> {
  server.send('cpu');
  return total(await next<NodeJS.CpuUsage>(server));
}

const total = ({ user, system }: NodeJS.CpuUsage) => user + system;

/** µs of CPU a call, of the client's and of the server's process. */
async function round({ server, client }: Side, method: string): Promise<{ client: number; server: number }> {
  const before = await cpuOf(server);
  client.send({ method, calls: CALLS });
  const spent = total(await next<NodeJS.CpuUsage>(client));
  return { client: spent / CALLS, server: ((await cpuOf(server)) - before) / CALLS };
}

const median = (figures: readonly number[]) =>
  Number(figures.toSorted((a, b) => a - b)[figures.length >> 1]!.toFixed(1));

/**
 * What a call from the gateway to a service costs besides its work: µs of CPU a call (medians), of the client's and of the
 * server's process, by several ways with the same endpoint behind, in alternating rounds.
 */
export async function runHopBench(): Promise<object> {
  const sides: Side[] = [];
  try {
    for (const name of Object.keys(WAYS)) sides.push(await start(name));
    const report: Record<string, Record<string, object>> = {};
    for (const method of ['page', 'small']) {
      const rounds = new Map(sides.map(({ name }) => [name, [] as { client: number; server: number }[]]));
      for (let count = -WARM_UP; count < ROUNDS; count += 1)
        for (const side of sides) {
          const figures = await round(side, method);
          if (count >= 0) rounds.get(side.name)!.push(figures);
        }
      report[method] = Object.fromEntries(
        [...rounds].map(([name, all]) => {
          const client = median(all.map((one) => one.client));
          const server = median(all.map((one) => one.server));
          return [name, { client, server }];
        }),
      );
    }
    return { calls: CALLS, rounds: ROUNDS, microsecondsACall: report };
  } finally {
    for (const { client, server } of sides) {
      client.kill();
      server.kill();
    }
  }
}
