import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to a server that can behave like the network before a host that has died. */
export interface SilentProxy {
  /** The server's URL, by this way. */
  url: string;
  /** Connections that were opened so far. */
  opened: number;
  /** From now on swallows what comes from both sides, and closes nothing; new connections are accepted in silence. */
  fallSilent(): void;
  /** Serves new connections again. The old ones stay silent: the host that knew them is gone. */
  comeBack(): void;
  stop(): Promise<void>;
}

export async function startSilentProxy(url: string): Promise<SilentProxy> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let isForwarding = true;
  let silence: (() => void)[] = [];

  // A host that has died does not answer a goodbye either.
  const server = createServer({ allowHalfOpen: true }, (client) => {
    proxy.opened += 1;
    if (!isForwarding) {
      track(client, () => undefined);
      return void client.resume();
    }
    const upstream = connect({ port: Number(target.port), host: target.hostname, allowHalfOpen: true });
    let isSilent = false;
    silence.push(() => (isSilent = true));
    const pass = (from: Socket, to: Socket) => {
      // What is not read would one day stop the writer, as no dead host does.
      from.on('data', (bytes) => void (isSilent || to.write(bytes)));
      from.on('end', () => void (isSilent || to.end()));
      track(from, () => void (isSilent || to.destroy()));
    };
    pass(client, upstream);
    pass(upstream, client);
  });
  const track = (socket: Socket, closed: () => void) => {
    sockets.add(socket);
    // An error is followed by `close`.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      closed();
    });
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const own = new URL(url);
  own.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const proxy: SilentProxy = {
    url: own.href,
    opened: 0,
    fallSilent() {
      isForwarding = false;
      for (const one of silence) one();
      silence = [];
    },
    comeBack() {
      isForwarding = true;
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}
