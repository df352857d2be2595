import { Client, credentials, type CallOptions, type ServiceError } from '@grpc/grpc-js';
import { fromGrpcMetadata, toGrpcMetadata } from './grpc-metadata.js';
import { CHANNEL_OPTIONS, KEEPALIVE } from './grpc-options.js';
import type { RpcAnswer, RpcCall, RpcChannel } from './rpc-channel.js';
import { RpcStatusError, cancelled, deadlineExceeded, toStatusError } from './rpc-status.js';
import { asBuffer, type RpcService } from './service-definition.js';

const identity = (bytes: Uint8Array): Buffer => asBuffer(bytes);

/** The client side of gRPC. Not encrypted, because it never leaves the cluster's private network. */
export class GrpcChannel implements RpcChannel {
  private readonly client: Client;

  constructor(
    private readonly service: RpcService,
    url: string,
    keepalive = KEEPALIVE,
  ) {
    this.client = new Client(url, credentials.createInsecure(), { ...CHANNEL_OPTIONS, ...keepalive });
  }

  unary(call: RpcCall): Promise<RpcAnswer> {
    const refused = refusal(call);
    if (refused) return Promise.reject(refused);
    return new Promise((resolve, reject) => {
      let message: Uint8Array | undefined;
      const running = this.client.makeUnaryRequest(
        this.pathOf(call),
        identity,
        identity,
        call.request,
        toGrpcMetadata(call.metadata),
        optionsOf(call),
        (error, answer) => {
          if (error) finish(() => reject(statusError(error)));
          else message = answer;
        },
      );
      const cancel = () => running.cancel();
      const finish = (settle: () => void) => {
        call.cancellation?.offEnd(cancel);
        settle();
      };
      call.cancellation?.onEnd(cancel);
      // The trailing metadata arrives after the callback.
      running.on('status', ({ metadata }) => {
        if (message) finish(() => resolve({ message: message!, metadata: fromGrpcMetadata(metadata) }));
      });
    });
  }

  async close(): Promise<void> {
    this.client.close();
  }

  private pathOf(call: RpcCall): string {
    return this.service.definition[call.method]!.path;
  }
}

/** A call that is cancelled or late before it starts needs no round trip. */
function refusal({ cancellation, budgetMs }: RpcCall): RpcStatusError | undefined {
  if (cancellation?.over) return toStatusError(cancelled());
  return budgetMs > 0 ? undefined : toStatusError(deadlineExceeded());
}

function optionsOf({ budgetMs }: RpcCall): CallOptions {
  return { deadline: Date.now() + budgetMs };
}

function statusError(error: ServiceError): RpcStatusError {
  return new RpcStatusError(error.code, error.details, fromGrpcMetadata(error.metadata));
}
