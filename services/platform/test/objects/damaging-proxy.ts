import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** What is damaged is a body that has this text. */
const MARK = 'a marked body';

export interface DamagingProxy {
  url: string;
  /** How many bodies were damaged. */
  damaged: number;
  stop(): Promise<void>;
}

/** A way to the server of `url` on which one letter of marked bodies changes. Requests are signed for the way's address. */
export async function damagingProxy(url: string): Promise<DamagingProxy> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      const end = () => [client, upstream].forEach((each) => each.destroy());
      socket.on('error', end).on('close', () => {
        sockets.delete(socket);
        end();
      });
    }
    upstream.pipe(client);
    client.on('data', (chunk: Buffer) => {
      const place = chunk.indexOf(MARK);
      if (place >= 0) {
        chunk[place] = 'b'.charCodeAt(0);
        proxy.damaged += 1;
      }
      upstream.write(chunk);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const own = new URL(url);
  own.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const proxy: DamagingProxy = {
    url: own.href,
    damaged: 0,
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}
