import mongoose, { type mongo } from 'mongoose';
import type { Socket } from 'node:net';

const { BSON } = mongoose.mongo;
const [OP_REPLY, OP_QUERY, OP_MSG] = [1, 2004, 2013];
const HEADER_BYTES = 16;

/** Calls `take` with each whole message of MongoDB's wire protocol that arrives on the socket. */
export function eachMessage(socket: Socket, take: (message: Buffer) => void): void {
  let received = Buffer.alloc(0);
  socket.on('data', (bytes) => {
    received = Buffer.concat([received, bytes]);
    while (received.length >= 4 && received.length >= received.readInt32LE(0)) {
      const message = received.subarray(0, received.readInt32LE(0));
      received = received.subarray(message.length);
      take(message);
    }
  });
}

/** The command of a request, without the documents that a write sends in further sections. */
export function commandOf(message: Buffer): mongo.Document {
  // OP_QUERY: flags, the collection's name, two counts, then the command. OP_MSG: flags and one section of kind 0.
  if (opCodeOf(message) === OP_QUERY)
    return BSON.deserialize(message.subarray(message.indexOf(0, HEADER_BYTES + 4) + 1 + 8));
  const at = HEADER_BYTES + 4 + 1;
  return BSON.deserialize(message.subarray(at, at + message.readInt32LE(at)));
}

/** How many documents a reply to a find, or to the next batch of one, has. */
export function documentsIn(message: Buffer): number {
  if (opCodeOf(message) !== OP_MSG) return 0;
  const { cursor } = commandOf(message) as { cursor?: { firstBatch?: unknown[]; nextBatch?: unknown[] } };
  return (cursor?.firstBatch ?? cursor?.nextBatch ?? []).length;
}

/** The message that answers a request with `document`. */
export function replyTo(message: Buffer, document: mongo.Document): Buffer {
  const isLegacy = opCodeOf(message) === OP_QUERY;
  const before = Buffer.alloc(isLegacy ? 20 : 5);
  if (isLegacy) before.writeInt32LE(1, 16);
  const body = Buffer.concat([before, BSON.serialize(document)]);
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeInt32LE(HEADER_BYTES + body.length, 0);
  header.writeInt32LE(message.readInt32LE(4), 8);
  header.writeInt32LE(isLegacy ? OP_REPLY : OP_MSG, 12);
  return Buffer.concat([header, body]);
}

const opCodeOf = (message: Buffer) => message.readInt32LE(12);
