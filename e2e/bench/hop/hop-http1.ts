import { Cancellation } from '@pulso/platform/context/cancellation';
import type { RpcCall } from '@pulso/platform/rpc/rpc-channel';
import { joined } from '@pulso/platform/rpc/service-definition';
import type { WireMetadata } from '@pulso/platform/rpc/wire-metadata';
import { Agent, createServer, request, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { methodOf, pathOf, type Answer, type Way } from './hop-way.js';

function metadataOf(headers: IncomingHttpHeaders): WireMetadata {
  const out: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name] as string;
    out[name] = name.endsWith('-bin') ? Buffer.from(value, 'base64').toString() : value;
  }
  return out;
}

const text = (name: string, value: string) =>
  name.endsWith('-bin') ? Buffer.from(value).toString('base64') : value.replaceAll(/[^ -~]/g, '?');

async function serve(answer: Answer) {
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    const cancellation = new Cancellation();
    res.on('close', () => void (res.writableEnded || cancellation.end(new Error('cancelled'))));
    req.on('data', (chunk: Buffer) => void chunks.push(chunk));
    req.on('end', () => {
      const call: RpcCall = {
        method: methodOf(req.url!),
        request: chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks),
        metadata: metadataOf(req.headers),
        budgetMs: Number(req.headers['connect-timeout-ms']),
        cancellation,
      };
      answer(call).then(
        ({ message, metadata }) => {
          const body = joined(message);
          const headers = ['content-type', 'application/proto', 'content-length', String(body.byteLength)];
          for (const name in metadata) headers.push(name, text(name, metadata[name]!));
          res.writeHead(200, headers);
          res.end(body);
        },
        (error: { message: string }) => {
          res.writeHead(500, ['content-type', 'application/json']);
          res.end(JSON.stringify({ code: 'internal', message: error.message }));
        },
      );
    });
  });
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', () => resolve()));
  return { port: (server.address() as AddressInfo).port };
}

function headersOf(call: RpcCall): string[] {
  const headers = [
    'content-type',
    'application/proto',
    'connect-protocol-version',
    '1',
    'connect-timeout-ms',
    String(Math.ceil(call.budgetMs)),
  ];
  for (const name in call.metadata) headers.push(name, text(name, call.metadata[name]!));
  return headers;
}

/** The same protocol with node:http on both sides. */
export const http1ByNode: Way = {
  serve,
  connect: (port) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 64, scheduling: 'lifo' });
    return {
      unary: (call) =>
        new Promise((resolve, reject) => {
          const headers = [
            'host',
            'pulso',
            ...headersOf(call),
            'content-length',
            String(call.request.byteLength),
          ];
          const req = request({
            host: '127.0.0.1',
            port,
            agent,
            method: 'POST',
            path: pathOf(call.method),
            headers: headers as never,
          });
          const cancel = () => req.destroy(new Error('cancelled'));
          const timer = setTimeout(cancel, call.budgetMs);
          call.cancellation?.onEnd(cancel);
          const end = () => {
            clearTimeout(timer);
            call.cancellation?.offEnd(cancel);
          };
          req.on('error', (error) => {
            end();
            reject(error);
          });
          req.on('response', (res) => {
            const chunks: Buffer[] = [];
            res.on('data', (chunk: Buffer) => void chunks.push(chunk));
            res.on('end', () => {
              end();
              const message = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
              if (res.statusCode === 200) resolve({ message, metadata: metadataOf(res.headers) });
              else reject(new Error(message.toString()));
            });
          });
          req.end(call.request);
        }),
    };
  },
};
