import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface RedisInBetween {
  url: string;
  /** The names of the commands that clients have sent, in their order. */
  sent: string[];
  /** The next script that a client calls by its hash is one that the Redis does not have. */
  forgetScript(): void;
  close(): void;
}

const COMMAND = /^\*\d+\r\n\$\d+\r\n(\w+)\r\n/;
const HASH = /[0-9a-f]{40}/;

/**
 * Between clients and the Redis at `url`, which other suites use at the same time: their commands do not count here, and
 * they lose no scripts. For clients that wait for each answer before they send the next command.
 */
export async function redisInBetween(url: string): Promise<RedisInBetween> {
  const sent: string[] = [];
  const sockets: Socket[] = [];
  let forgets = false;
  const target = new URL(url);

  const server = createServer((client) => {
    const redis = connect(Number(target.port || 6379), target.hostname);
    sockets.push(client, redis);
    for (const [end, other] of [
      [client, redis],
      [redis, client],
    ] as const)
      end.on('error', () => other.destroy()).on('close', () => other.destroy());
    redis.pipe(client);
    client.on('data', (chunk: Buffer) => {
      const text = chunk.toString('latin1');
      const name = COMMAND.exec(text)?.[1]?.toLowerCase();
      if (name) sent.push(name);
      const forgotten = forgets && name === 'evalsha';
      if (forgotten) forgets = false;
      redis.write(forgotten ? text.replace(HASH, '0'.repeat(40)) : text, 'latin1');
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const through = new URL(url);
  through.hostname = '127.0.0.1';
  through.port = String((server.address() as AddressInfo).port);
  return {
    url: through.href,
    sent,
    forgetScript: () => (forgets = true),
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
