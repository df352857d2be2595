import type { mongo } from 'mongoose';
import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { commandOf, eachMessage, replyTo } from '../../testing/mongodb-wire.js';

/** The `hello` response of a replica set's primary. */
const hello = (address: string) => ({
  ...{ ok: 1, helloOk: true, isWritablePrimary: true, ismaster: true, setName: 'fake', setVersion: 1 },
  ...{ hosts: [address], primary: address, me: address, minWireVersion: 0, maxWireVersion: 25 },
  ...{ maxBsonObjectSize: 16_777_216, maxMessageSizeBytes: 48_000_000, maxWriteBatchSize: 100_000 },
  ...{ logicalSessionTimeoutMinutes: 30, localTime: new Date() },
});

/** A fake MongoDB that speaks the wire protocol. `answer` returns a command's response, also faults that are hard to cause. */
export async function startFakeMongodb(answer: (command: mongo.Document) => mongo.Document) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    eachMessage(socket, (message) => socket.write(replyTo(message, respond(commandOf(message)))));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;

  const respond = (command: mongo.Document) =>
    'hello' in command || 'ismaster' in command || 'isMaster' in command ? hello(address) : answer(command);

  return {
    url: `mongodb://${address}/test?directConnection=true`,
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
