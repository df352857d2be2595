import { Cancellation } from '@pulso/platform/context/cancellation';
import type { RpcAnswer, RpcCall } from '@pulso/platform/rpc/rpc-channel';
import { joined } from '@pulso/platform/rpc/service-definition';
import type { WireMetadata } from '@pulso/platform/rpc/wire-metadata';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Way } from './hop-way.js';

// A frame: its length and the call's number, of 4 bytes each, the length of its head, the head as JSON, the message.
interface Head {
  method?: string;
  budgetMs?: number;
  metadata?: WireMetadata;
  cancel?: true;
  error?: { code: number; message: string };
}

function send(socket: Socket, id: number, head: Head, message: Uint8Array): void {
  const text = Buffer.from(JSON.stringify(head));
  const start = Buffer.allocUnsafe(12 + text.byteLength);
  start.writeUInt32BE(8 + text.byteLength + message.byteLength, 0);
  start.writeUInt32BE(id, 4);
  start.writeUInt32BE(text.byteLength, 8);
  start.set(text, 12);
  socket.cork();
  socket.write(start);
  socket.write(message);
  socket.uncork();
}

function receive(socket: Socket, take: (id: number, head: Head, message: Buffer) => void): void {
  let chunks: Buffer[] = [];
  let length = 0;
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.byteLength;
    if (
      length < 4 ||
      (chunks.length > 1 && chunks[0]!.byteLength >= 4 && length < chunks[0]!.readUInt32BE(0) + 4)
    )
      return;
    let rest = chunks.length === 1 ? chunk : Buffer.concat(chunks);
    while (rest.byteLength >= 4 && rest.byteLength >= rest.readUInt32BE(0) + 4) {
      const end = rest.readUInt32BE(0) + 4;
      const headEnd = 12 + rest.readUInt32BE(8);
      const head = JSON.parse(rest.toString('utf8', 12, headEnd)) as Head;
      take(rest.readUInt32BE(4), head, rest.subarray(headEnd, end));
      rest = rest.subarray(end);
    }
    chunks = rest.byteLength > 0 ? [rest] : [];
    length = rest.byteLength;
  });
}

const NOTHING = Buffer.alloc(0);

/** Frames with a length over one connection: no standard, but the least that a hop can cost. */
export const framed: Way = {
  serve: async (answer) => {
    const server = createServer({ noDelay: true }, (socket) => {
      const running = new Map<number, Cancellation>();
      receive(socket, (id, { method, budgetMs, metadata, cancel }, request) => {
        if (cancel) return running.get(id)?.end(new Error('cancelled'));
        const cancellation = new Cancellation();
        running.set(id, cancellation);
        answer({ method: method!, request, metadata: metadata!, budgetMs: budgetMs!, cancellation })
          .then(
            (answered) => send(socket, id, { metadata: answered.metadata }, joined(answered.message)),
            ({ code, message }: { code: number; message: string }) =>
              send(socket, id, { error: { code, message } }, NOTHING),
          )
          .finally(() => running.delete(id));
      });
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', () => resolve()));
    return { port: (server.address() as AddressInfo).port };
  },
  connect: (port) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const waiting = new Map<number, (head: Head, message: Buffer) => void>();
    let last = 0;
    receive(socket, (id, head, message) => waiting.get(id)?.(head, message));
    return {
      unary: (call: RpcCall) =>
        new Promise<RpcAnswer>((resolve, reject) => {
          const id = (last = (last + 1) >>> 0);
          const finish = () => {
            clearTimeout(timer);
            call.cancellation?.offEnd(cancel);
            waiting.delete(id);
          };
          const cancel = () => {
            finish();
            send(socket, id, { cancel: true }, NOTHING);
            reject(new Error('cancelled'));
          };
          const timer = setTimeout(cancel, call.budgetMs);
          call.cancellation?.onEnd(cancel);
          waiting.set(id, ({ error, metadata }, message) => {
            finish();
            if (error) reject(new Error(error.message));
            else resolve({ message, metadata: metadata! });
          });
          send(
            socket,
            id,
            { method: call.method, budgetMs: call.budgetMs, metadata: call.metadata },
            call.request,
          );
        }),
    };
  },
};
