import mongoose, { type mongo } from 'mongoose';
import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

const { BSON } = mongoose.mongo;
const [OP_REPLY, OP_QUERY, OP_MSG] = [1, 2004, 2013];
const HEADER_BYTES = 16;

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
    let received = Buffer.alloc(0);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.on('data', (bytes) => {
      received = Buffer.concat([received, bytes]);
      while (received.length >= 4 && received.length >= received.readInt32LE(0)) {
        const message = received.subarray(0, received.readInt32LE(0));
        received = received.subarray(message.length);
        socket.write(replyTo(message));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;

  const respond = (command: mongo.Document) =>
    'hello' in command || 'ismaster' in command || 'isMaster' in command ? hello(address) : answer(command);

  function replyTo(message: Buffer): Buffer {
    const [requestId, opCode] = [message.readInt32LE(4), message.readInt32LE(12)];
    if (opCode === OP_QUERY) {
      // Flags, the collection's name, two counts, then the command.
      const at = message.indexOf(0, HEADER_BYTES + 4) + 1 + 8;
      const before = Buffer.alloc(20);
      before.writeInt32LE(1, 16);
      return framed(requestId, OP_REPLY, before, respond(BSON.deserialize(message.subarray(at))));
    }
    // Flags and one section of kind 0; further sections hold the documents of a write, which `answer` does not need.
    const at = HEADER_BYTES + 4 + 1;
    const command = BSON.deserialize(message.subarray(at, at + message.readInt32LE(at)));
    return framed(requestId, OP_MSG, Buffer.alloc(5), respond(command));
  }

  return {
    url: `mongodb://${address}/test?directConnection=true`,
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function framed(responseTo: number, opCode: number, before: Buffer, document: mongo.Document): Buffer {
  const body = Buffer.concat([before, BSON.serialize(document)]);
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeInt32LE(HEADER_BYTES + body.length, 0);
  header.writeInt32LE(responseTo, 8);
  header.writeInt32LE(opCode, 12);
  return Buffer.concat([header, body]);
}
