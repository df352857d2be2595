import { Double, type Document, type Long } from 'bson';
import { decodeCommand, encodeDocument } from '../values/bson-values.js';

/**
 * The part of MongoDB's wire protocol that current drivers use: OP_MSG, and OP_QUERY for the first `hello` only. No
 * compression, checksums or exhaust cursors, because the server does not advertise them.
 */
const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;
const HEADER_BYTES = 16;
export const MAX_MESSAGE_BYTES = 48_000_000;

const CHECKSUM_PRESENT = 1;
const MORE_TO_COME = 2;
const EXHAUST_ALLOWED = 1 << 16;

/** Arrays of documents in commands that are kept as raw BSON when they are inside the command's body. */
const RAW_FIELDS = { documents: true };

export interface Request {
  requestId: number;
  legacy: boolean;
  body: Document;
  /** Document sequences by name (`documents`, `updates`, `deletes`), raw. */
  sequences: Map<string, Buffer[]>;
  /** False for unacknowledged writes. */
  wantsReply: boolean;
}

/** A malformed frame, after which the connection cannot continue. */
class ProtocolError extends Error {}

/** Splits a byte stream into messages. */
export class MessageReader {
  private chunks: Buffer[] = [];
  private buffered = 0;

  /** @throws ProtocolError for an impossible length */
  push(chunk: Buffer): Buffer[] {
    this.chunks.push(chunk);
    this.buffered += chunk.length;
    const messages: Buffer[] = [];
    for (;;) {
      if (this.buffered < 4) return messages;
      if (this.chunks[0]!.length < 4) this.chunks = [Buffer.concat(this.chunks)];
      const length = this.chunks[0]!.readInt32LE(0);
      if (length < HEADER_BYTES || length > MAX_MESSAGE_BYTES)
        throw new ProtocolError(`message of ${length} bytes`);
      if (this.buffered < length) return messages;
      const joined = this.chunks.length === 1 ? this.chunks[0]! : Buffer.concat(this.chunks);
      messages.push(joined.subarray(0, length));
      this.buffered -= length;
      this.chunks = this.buffered > 0 ? [joined.subarray(length)] : [];
    }
  }
}

/** @throws ProtocolError, or BSON's own errors, for a malformed message */
export function parseRequest(message: Buffer): Request {
  const requestId = message.readInt32LE(4);
  const opCode = message.readInt32LE(12);
  if (opCode === OP_MSG) return parseMsg(message, requestId);
  if (opCode === OP_QUERY) return parseQuery(message, requestId);
  throw new ProtocolError(`unsupported opcode ${opCode}`);
}

function parseMsg(message: Buffer, requestId: number): Request {
  const flags = message.readInt32LE(HEADER_BYTES);
  if ((flags & ~(MORE_TO_COME | EXHAUST_ALLOWED)) !== 0) {
    throw new ProtocolError(
      flags & CHECKSUM_PRESENT ? 'checksums are not supported' : `unknown flags ${flags}`,
    );
  }
  let body: Document | undefined;
  const sequences = new Map<string, Buffer[]>();
  let at = HEADER_BYTES + 4;
  while (at < message.length) {
    const kind = message[at++]!;
    const size = message.readInt32LE(at);
    const end = at + size;
    if (size < 5 || end > message.length) throw new ProtocolError('a section ends outside its message');
    if (kind === 0) {
      body = decodeCommand(message.subarray(at, end), RAW_FIELDS);
    } else if (kind === 1) {
      const nameEnd = message.indexOf(0, at + 4);
      if (nameEnd < 0 || nameEnd >= end) throw new ProtocolError('a document sequence has no name');
      sequences.set(message.toString('utf8', at + 4, nameEnd), splitDocuments(message, nameEnd + 1, end));
    } else {
      throw new ProtocolError(`unknown section kind ${kind}`);
    }
    at = end;
  }
  if (!body) throw new ProtocolError('a message without a body');
  return { requestId, legacy: false, body, sequences, wantsReply: (flags & MORE_TO_COME) === 0 };
}

function splitDocuments(message: Buffer, from: number, end: number): Buffer[] {
  const documents: Buffer[] = [];
  for (let at = from; at < end;) {
    const size = at + 4 <= end ? message.readInt32LE(at) : 0;
    if (size < 5 || at + size > end) throw new ProtocolError('a document ends outside its sequence');
    documents.push(message.subarray(at, at + size));
    at += size;
  }
  return documents;
}

function parseQuery(message: Buffer, requestId: number): Request {
  const nameStart = HEADER_BYTES + 4;
  const nameEnd = message.indexOf(0, nameStart);
  const collection = message.toString('utf8', nameStart, nameEnd);
  const body = decodeCommand(message.subarray(nameEnd + 9), {});
  body['$db'] = collection.slice(0, collection.indexOf('.'));
  return { requestId, legacy: true, body, sequences: new Map(), wantsReply: true };
}

let lastRequestId = 0;

/** The message with an encoded reply document. */
export function encodeReply(request: Request, reply: Buffer[]): Buffer {
  const size = reply.reduce((sum, part) => sum + part.length, 0);
  const head = Buffer.alloc(request.legacy ? HEADER_BYTES + 20 : HEADER_BYTES + 5);
  head.writeInt32LE(head.length + size, 0);
  lastRequestId = (lastRequestId + 1) & 0x7fffffff;
  head.writeInt32LE(lastRequestId, 4);
  head.writeInt32LE(request.requestId, 8);
  head.writeInt32LE(request.legacy ? OP_REPLY : OP_MSG, 12);
  // OP_REPLY: flags 8 (await capable), no cursor, from 0, one document. OP_MSG: no flags, one body section.
  if (request.legacy) {
    head.writeInt32LE(8, HEADER_BYTES);
    head.writeInt32LE(1, HEADER_BYTES + 16);
  }
  return Buffer.concat([head, ...reply], head.length + size);
}

/**
 * The bytes after the last document of a cursor's reply: the ends of its array and of `cursor`, then `ok` and the
 * end.
 */
const TAIL_BYTES = 1 + 1 + '\x01ok\0'.length + 8 + 1;
/** Of an array's element besides its value and the digits of its place: the type, and the end of its name. */
const ELEMENT_BYTES = 2;
const CURSOR_AT = 4 + '\x03cursor\0'.length;

/** A reply with a cursor around documents that are already BSON: stored documents are sent byte for byte. */
export function encodeCursorReply(
  batch: 'firstBatch' | 'nextBatch',
  documents: Buffer[],
  id: Long,
  namespace: string,
): Buffer[] {
  const around = encodeDocument({ cursor: { id, ns: namespace, [batch]: [] }, ok: new Double(1) });
  const bytes = documents.reduce((sum, { length }, at) => sum + ELEMENT_BYTES + digitsOf(at) + length, 0);
  const end = around.length - TAIL_BYTES;
  // The documents are nested in the reply, in its cursor and in the cursor's array.
  for (const at of [0, CURSOR_AT, end - 4]) around.writeInt32LE(around.readInt32LE(at) + bytes, at);
  const reply = Buffer.allocUnsafe(around.length + bytes);
  let at = around.copy(reply, 0, 0, end);
  documents.forEach((document, place) => {
    at += reply.write(`\x03${place}\0`, at, 'latin1');
    at += document.copy(reply, at);
  });
  around.copy(reply, at, end);
  return [reply];
}

const digitsOf = (place: number) => String(place).length;
