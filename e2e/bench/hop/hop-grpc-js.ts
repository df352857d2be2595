import {
  Client,
  credentials,
  Metadata,
  Server,
  ServerCredentials,
  type sendUnaryData,
  type ServerUnaryCall,
} from '@grpc/grpc-js';
import { Cancellation } from '@pulso/platform/context/cancellation';
import type { RpcAnswer, RpcCall } from '@pulso/platform/rpc/rpc-channel';
import type { WireMetadata } from '@pulso/platform/rpc/wire-metadata';
import { asBuffer, joined } from '@pulso/platform/rpc/service-definition';
import { pathOf, type Way } from './hop-way.js';

type Bytes = Uint8Array;
const same = (bytes: Bytes): Buffer => asBuffer(bytes);

function toGrpc(metadata: WireMetadata): Metadata {
  const out = new Metadata();
  for (const [name, value] of Object.entries(metadata))
    out.set(name, name.endsWith('-bin') ? Buffer.from(value) : value.replaceAll(/[^ -~]/g, '?'));
  return out;
}

const fromGrpc = (metadata: Metadata): WireMetadata =>
  Object.fromEntries(Object.entries(metadata.getMap()).map(([name, value]) => [name, value.toString()]));

/** gRPC by grpc-js, as Pulso had it. */
export const grpcJs: Way = {
  serve: (answer) => {
    const server = new Server();
    const definition = (method: string) => ({
      path: pathOf(method),
      requestStream: false,
      responseStream: false,
      requestSerialize: same,
      requestDeserialize: same,
      responseSerialize: same,
      responseDeserialize: same,
    });
    const handle = (method: string) => (call: ServerUnaryCall<Bytes, Bytes>, done: sendUnaryData<Bytes>) => {
      const cancellation = new Cancellation();
      const end = () => cancellation.end(new Error('cancelled'));
      call.on('cancelled', end);
      const incoming: RpcCall = {
        method,
        request: call.request,
        metadata: fromGrpc(call.metadata),
        budgetMs: Number(call.getDeadline()) - Date.now(),
        cancellation,
      };
      answer(incoming).then(
        ({ message, metadata }) => {
          call.off('cancelled', end);
          done(null, joined(message), toGrpc(metadata));
        },
        (error: { code: number; message: string; metadata: WireMetadata }) => {
          call.off('cancelled', end);
          done({ code: error.code, details: error.message, metadata: toGrpc(error.metadata) });
        },
      );
    };
    const methods = ['page', 'small'];
    server.addService(
      Object.fromEntries(methods.map((method) => [method, definition(method)])),
      Object.fromEntries(methods.map((method) => [method, handle(method)])),
    );
    return new Promise((resolve, reject) => {
      server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) =>
        error ? reject(error) : resolve({ port }),
      );
    });
  },
  connect: (port) => {
    const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure(), {
      'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
    });
    return {
      unary: (call) =>
        new Promise<RpcAnswer>((resolve, reject) => {
          let message: Bytes | undefined;
          const running = client.makeUnaryRequest(
            pathOf(call.method),
            same,
            same,
            call.request,
            toGrpc(call.metadata),
            { deadline: Date.now() + call.budgetMs },
            (error, got) => (error ? reject(error) : (message = got)),
          );
          const cancel = () => running.cancel();
          call.cancellation?.onEnd(cancel);
          running.on('status', ({ metadata }) => {
            call.cancellation?.offEnd(cancel);
            if (message) resolve({ message, metadata: fromGrpc(metadata) });
          });
        }),
    };
  },
};
