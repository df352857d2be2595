import type { mongo } from 'mongoose';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { commandOf, documentsIn, eachMessage, replyTo } from './mongodb-wire.js';

export interface MongodbProxy {
  url: string;
  /** The answer of a server in trouble, given to every command on `collections` in place of the server's; none if unset. */
  fault?: { collections: readonly string[]; answer: mongo.Document };
  /** The commands that got it. */
  refused: mongo.Document[];
  /** What the server has answered since a test has set it: all bytes, and the documents of finds. */
  answered?: { bytes: number; documents: number };
  stop(): Promise<void>;
}

/** A proxy between a service and the MongoDB of `url` that causes faults on the wire, and counts what comes over it. */
export async function startMongodbProxy(url: string): Promise<MongodbProxy> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      const end = () => [client, upstream].forEach((each) => each.destroy());
      socket.on('error', end);
      socket.on('close', () => {
        sockets.delete(socket);
        end();
      });
    }
    upstream.pipe(client);
    eachMessage(upstream, (message) => {
      if (!proxy.answered) return;
      proxy.answered.bytes += message.length;
      proxy.answered.documents += documentsIn(message);
    });
    eachMessage(client, (message) => {
      const command = commandOf(message);
      const [name = ''] = Object.keys(command);
      const { fault } = proxy;
      if (!fault?.collections.includes(String(command[name]))) return void upstream.write(message);
      proxy.refused.push(command);
      client.write(replyTo(message, fault.answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const own = new URL(url);
  own.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  // Otherwise the driver would follow a replica set's own addresses.
  own.searchParams.set('directConnection', 'true');
  const proxy: MongodbProxy = {
    url: own.href,
    refused: [],
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}
