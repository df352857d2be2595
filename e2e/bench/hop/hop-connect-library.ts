import { createFileRegistry, create } from '@bufbuild/protobuf';
import {
  type BytesValue,
  BytesValueSchema,
  file_google_protobuf_wrappers,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
} from '@bufbuild/protobuf/wkt';
import { type Code, ConnectError, createClient, type HandlerContext } from '@connectrpc/connect';
import { connectNodeAdapter, createConnectTransport } from '@connectrpc/connect-node';
import { Cancellation } from '@pulso/platform/context/cancellation';
import type { RpcAnswer, RpcCall } from '@pulso/platform/rpc/rpc-channel';
import { joined } from '@pulso/platform/rpc/service-definition';
import type { WireMetadata } from '@pulso/platform/rpc/wire-metadata';
import { createServer } from 'node:http';
import { createServer as createHttp2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { SERVICE, type Way } from './hop-way.js';

const PACKAGE = SERVICE.slice(0, SERVICE.lastIndexOf('.'));
const BYTES = '.google.protobuf.BytesValue';
const file = create(FileDescriptorProtoSchema, {
  name: 'hop.proto',
  package: PACKAGE,
  syntax: 'proto3',
  dependency: ['google/protobuf/wrappers.proto'],
  service: [
    {
      name: SERVICE.slice(PACKAGE.length + 1),
      method: ['Page', 'Small'].map((name) => ({ name, inputType: BYTES, outputType: BYTES })),
    },
  ],
});
// Messages are bytes in a wrapper, as the other ways carry bytes: a codec of its own would be measured, too.
const registry = createFileRegistry(
  create(FileDescriptorSetSchema, { file: [file_google_protobuf_wrappers.proto, file] }),
);
const service = registry.getService(SERVICE)!;

function metadataOf(headers: Headers): WireMetadata {
  const out: Record<string, string> = {};
  headers.forEach((value, name) => {
    out[name] = name.endsWith('-bin') ? Buffer.from(value, 'base64').toString() : value;
  });
  return out;
}

function setAll(headers: Headers, metadata: WireMetadata): void {
  for (const [name, value] of Object.entries(metadata))
    headers.set(name, name.endsWith('-bin') ? Buffer.from(value).toString('base64') : value);
}

type Unary = (request: BytesValue, options?: object) => Promise<BytesValue>;

/** Connect by its own library, over HTTP/1.1 or HTTP/2. */
export const connectLibrary = (httpVersion: '1.1' | '2'): Way => ({
  serve: async (answer) => {
    const handle = (method: string) => async (request: BytesValue, context: HandlerContext) => {
      const cancellation = new Cancellation();
      context.signal.addEventListener('abort', () => cancellation.end(new Error('cancelled')));
      try {
        const { message, metadata } = await answer({
          method,
          request: request.value,
          metadata: metadataOf(context.requestHeader),
          budgetMs: context.timeoutMs() ?? 5_000,
          cancellation,
        });
        setAll(context.responseTrailer, metadata);
        return create(BytesValueSchema, { value: joined(message) });
      } catch (error) {
        const { code, message, metadata } = error as { code: Code; message: string; metadata: WireMetadata };
        throw new ConnectError(message, code, metadata as Record<string, string>);
      }
    };
    const handler = connectNodeAdapter({
      routes: (router) => {
        router.service(service, { page: handle('page'), small: handle('small') } as never);
      },
    });
    const server = httpVersion === '2' ? createHttp2Server({}, handler) : createServer(handler);
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', () => resolve()));
    return { port: (server.address() as AddressInfo).port };
  },
  connect: (port) => {
    const baseUrl = `http://127.0.0.1:${port}`;
    const client = createClient(
      service,
      createConnectTransport({ baseUrl, httpVersion } as Parameters<typeof createConnectTransport>[0]),
    ) as unknown as Record<string, Unary>;
    return {
      unary: async (call: RpcCall): Promise<RpcAnswer> => {
        const headers = new Headers();
        setAll(headers, call.metadata);
        const abort = new AbortController();
        const cancel = () => abort.abort();
        call.cancellation?.onEnd(cancel);
        let metadata: WireMetadata = {};
        const { value } = await client[call.method]!(
          create(BytesValueSchema, { value: call.request as Uint8Array<ArrayBuffer> }),
          {
            headers,
            timeoutMs: Math.ceil(call.budgetMs),
            signal: abort.signal,
            onTrailer: (trailer: Headers) => (metadata = metadataOf(trailer)),
          },
        );
        call.cancellation?.offEnd(cancel);
        return { message: value, metadata };
      },
    };
  },
});
