import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to a server that can behave like the network before a host that has died. */
export interface SilentProxy {
  /** The server's URL, by this way. */
  url: string;
  /** Connections that were opened so far, and those of them that are open. */
  opened: number;
  readonly open: number;
  /** From now on swallows what comes from both sides, and closes nothing; new connections are accepted in silence. */
  fallSilent(): void;
  /** As `fallSilent`, but new connections are refused. */
  fallSilentAndRefuse(): void;
  /** Serves new connections again. The old ones stay silent: the host that knew them is gone. */
  comeBack(): void;
  stop(): Promise<void>;
}

export async function startSilentProxy(url: string): Promise<SilentProxy> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  const clients = new Set<Socket>();
  let state: 'forwards' | 'silent' | 'refuses' = 'forwards';
  let silence: (() => void)[] = [];

  const server = createServer((client) => {
    if (state === 'refuses') return void client.resetAndDestroy();
    proxy.opened += 1;
    clients.add(client);
    track(client, () => clients.delete(client));
    if (state === 'silent') return void client.resume();
    const upstream = connect(Number(target.port), target.hostname);
    let isSilent = false;
    silence.push(() => (isSilent = true));
    const pass = (from: Socket, to: Socket) => {
      // What is not read would one day stop the writer, as no dead host does.
      from.on('data', (bytes) => void (isSilent || to.write(bytes)));
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
  const silenceAll = () => {
    for (const one of silence) one();
    silence = [];
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const own = new URL(url);
  own.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const proxy: SilentProxy = {
    url: own.href,
    opened: 0,
    get open() {
      return clients.size;
    },
    fallSilent() {
      state = 'silent';
      silenceAll();
    },
    fallSilentAndRefuse() {
      state = 'refuses';
      silenceAll();
    },
    comeBack() {
      state = 'forwards';
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}
