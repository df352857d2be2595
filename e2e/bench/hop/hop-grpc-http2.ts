import { Cancellation } from '@pulso/platform/context/cancellation';
import type { RpcAnswer } from '@pulso/platform/rpc/rpc-channel';
import { joined } from '@pulso/platform/rpc/service-definition';
import type { WireMetadata } from '@pulso/platform/rpc/wire-metadata';
import {
  connect,
  constants,
  createServer,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { methodOf, pathOf, type Way } from './hop-way.js';

const text = (name: string, value: string) =>
  name.endsWith('-bin') ? Buffer.from(value).toString('base64') : value.replaceAll(/[^ -~]/g, '?');

function metadataOf(headers: IncomingHttpHeaders): WireMetadata {
  const out: Record<string, string> = {};
  for (const name in headers) {
    if (name.startsWith(':')) continue;
    const value = String(headers[name]);
    out[name] = name.endsWith('-bin') ? Buffer.from(value, 'base64').toString() : value;
  }
  return out;
}

function put(into: OutgoingHttpHeaders, metadata: WireMetadata): OutgoingHttpHeaders {
  for (const name in metadata) into[name] = text(name, metadata[name]!);
  return into;
}

function framed(message: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(message.byteLength + 5);
  frame[0] = 0;
  frame.writeUInt32BE(message.byteLength, 1);
  frame.set(message, 5);
  return frame;
}

const unframed = (chunks: Buffer[]): Buffer =>
  (chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)).subarray(5);

/** gRPC's protocol spoken with node:http2, without grpc-js. */
export const grpcHttp2: Way = {
  serve: async (answer) => {
    const server = createServer();
    server.on('stream', (stream, headers) => {
      const chunks: Buffer[] = [];
      const cancellation = new Cancellation();
      stream.on('close', () => {
        if (stream.rstCode !== constants.NGHTTP2_NO_ERROR) cancellation.end(new Error('cancelled'));
      });
      stream.on('data', (chunk: Buffer) => void chunks.push(chunk));
      stream.on('end', () => {
        answer({
          method: methodOf(headers[':path']!),
          request: unframed(chunks),
          metadata: metadataOf(headers),
          budgetMs: Number.parseInt(String(headers['grpc-timeout']), 10),
          cancellation,
        }).then(
          ({ message, metadata }) => {
            stream.respond(
              { ':status': 200, 'content-type': 'application/grpc+proto' },
              { waitForTrailers: true },
            );
            stream.on('wantTrailers', () => stream.sendTrailers(put({ 'grpc-status': 0 }, metadata)));
            stream.end(framed(joined(message)));
          },
          (error: { code: number; message: string; metadata: WireMetadata }) =>
            stream.respond(
              put(
                {
                  ':status': 200,
                  'content-type': 'application/grpc+proto',
                  'grpc-status': error.code,
                  'grpc-message': encodeURIComponent(error.message),
                },
                error.metadata,
              ),
              { endStream: true },
            ),
        );
      });
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', () => resolve()));
    return { port: (server.address() as AddressInfo).port };
  },
  connect: (port) => {
    const session = connect(`http://127.0.0.1:${port}`);
    return {
      unary: (call) =>
        new Promise<RpcAnswer>((resolve, reject) => {
          const stream = session.request(
            put(
              {
                ':method': 'POST',
                ':path': pathOf(call.method),
                'content-type': 'application/grpc+proto',
                te: 'trailers',
                'grpc-timeout': `${Math.ceil(call.budgetMs)}m`,
              },
              call.metadata,
            ),
          );
          const chunks: Buffer[] = [];
          let metadata: WireMetadata = {};
          const cancel = () => stream.close(constants.NGHTTP2_CANCEL);
          const timer = setTimeout(cancel, call.budgetMs);
          call.cancellation?.onEnd(cancel);
          const end = () => {
            clearTimeout(timer);
            call.cancellation?.offEnd(cancel);
          };
          stream.on('data', (chunk: Buffer) => void chunks.push(chunk));
          stream.on('trailers', (headers) => (metadata = metadataOf(headers)));
          stream.on('error', reject);
          stream.on('end', () => {
            end();
            if (metadata['grpc-status'] === '0') resolve({ message: unframed(chunks), metadata });
            else reject(new Error(metadata['grpc-message']));
          });
          stream.end(framed(call.request));
        }),
    };
  },
};
