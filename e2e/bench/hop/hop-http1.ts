import { Cancellation } from '@pulso/platform/context/cancellation';
import type { RpcAnswer, RpcCall } from '@pulso/platform/rpc/rpc-channel';
import { joined } from '@pulso/platform/rpc/service-definition';
import type { WireMetadata } from '@pulso/platform/rpc/wire-metadata';
import { Agent, createServer, request, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool, type Dispatcher } from 'undici';
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

class Undici implements Dispatcher.DispatchHandler {
  private chunks: Buffer[] = [];
  private metadata: WireMetadata = {};
  private status = 0;
  private abort: ((error?: Error) => void) | undefined;
  private readonly cancel = () => this.abort?.(new Error('cancelled'));
  private readonly timer: NodeJS.Timeout;
  constructor(
    private readonly call: RpcCall,
    private readonly resolve: (answer: RpcAnswer) => void,
    private readonly reject: (error: Error) => void,
  ) {
    call.cancellation?.onEnd(this.cancel);
    this.timer = setTimeout(this.cancel, call.budgetMs);
  }
  onConnect(abort: (error?: Error) => void) {
    this.abort = abort;
  }
  onHeaders(status: number, raw: Buffer[]) {
    this.status = status;
    const out: Record<string, string> = {};
    for (let index = 0; index < raw.length; index += 2) {
      const name = raw[index]!.toString('latin1').toLowerCase();
      const value = raw[index + 1]!;
      out[name] = name.endsWith('-bin')
        ? Buffer.from(value.toString('latin1'), 'base64').toString()
        : value.toString('latin1');
    }
    this.metadata = out;
    return true;
  }
  onData(chunk: Buffer) {
    this.chunks.push(chunk);
    return true;
  }
  onComplete() {
    this.end();
    const message = this.chunks.length === 1 ? this.chunks[0]! : Buffer.concat(this.chunks);
    if (this.status === 200) this.resolve({ message, metadata: this.metadata });
    else this.reject(new Error(message.toString()));
  }
  onError(error: Error) {
    this.end();
    this.reject(error);
  }
  private end() {
    clearTimeout(this.timer);
    this.call.cancellation?.offEnd(this.cancel);
  }
}

export const http1ByUndici: Way = {
  serve,
  connect: (port) => {
    const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 64, headersTimeout: 0, bodyTimeout: 0 });
    return {
      unary: (call) =>
        new Promise((resolve, reject) => {
          pool.dispatch(
            { path: pathOf(call.method), method: 'POST', headers: headersOf(call), body: call.request },
            new Undici(call, resolve, reject),
          );
        }),
    };
  },
};

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
