import * as grpc from '@grpc/grpc-js';
import {
  Server,
  ServerCredentials,
  type Metadata,
  type MethodDefinition,
  type ServerUnaryCall,
  type sendUnaryData,
} from '@grpc/grpc-js';
import { ServerGrpc, type MessageHandler } from '@nestjs/microservices';
import { Cancellation } from '../context/cancellation.js';
import { fromGrpcMetadata, toGrpcMetadata } from './grpc-metadata.js';
import { KEEPALIVE, SERVER_OPTIONS } from './grpc-options.js';
import { HandlerTable } from './handler-table.js';
import type { RpcCall } from './rpc-channel.js';
import { DRAIN_TIMEOUT_MS, RpcEndpoint, type RpcEndpointOptions } from './rpc-endpoint.js';
import { RpcStatusError, cancelled } from './rpc-status.js';
import { DEFAULT_BUDGET_MS, asBuffer, joined, type RpcService } from './service-definition.js';

type Bytes = Uint8Array;

/**
 * Nest's gRPC server with our endpoint behind it: grpc-js carries bytes, and the code that serves calls within one process
 * does everything else, from codec to errors. No .proto file is read at run time.
 */
export class GrpcServer extends ServerGrpc {
  private readonly table: HandlerTable;
  private readonly service: RpcService;
  private endpoint: RpcEndpoint | undefined;
  private boundPort = 0;

  constructor(
    url: string,
    private readonly endpointOptions: RpcEndpointOptions,
    private readonly keepalive = KEEPALIVE,
  ) {
    const { service } = endpointOptions;
    super({
      url,
      package: service.name.slice(0, service.name.lastIndexOf('.')),
      packageDefinition: { [service.name]: bytesDefinition(service) },
    });
    this.service = service;
    this.table = new HandlerTable(service);
  }

  /** The given url, with the bound port in place of port 0. */
  get boundUrl(): string {
    return this.url.replace(/:0$/, `:${this.boundPort}`);
  }

  /** What Nest asks for by name is the copy that this module imports. Nest uses nothing else: no .proto file is read. */
  protected override loadPackageSynchronously<T>(): T {
    return grpc as T;
  }

  override addHandler(pattern: unknown, handler: MessageHandler): void {
    this.table.add(pattern, handler);
  }

  override async listen(callback: (error?: unknown) => void): Promise<void> {
    try {
      this.endpoint = new RpcEndpoint(this.endpointOptions, this.table.complete());
    } catch (error) {
      callback(error);
      return;
    }
    await super.listen(callback);
  }

  /** The handlers for grpc-js. Nest's own version uses RxJS and loses codes, metadata and cancellation. */
  override async createService(): Promise<Record<string, unknown>> {
    const methods = Object.keys(this.service.definition).map((name) => [name, this.unaryHandler(name)]);
    return Object.fromEntries(methods) as Record<string, unknown>;
  }

  override createClient(): Promise<Server> {
    const server = new Server({ ...SERVER_OPTIONS, ...this.keepalive });
    return new Promise((resolve, reject) => {
      server.bindAsync(this.url, ServerCredentials.createInsecure(), (error, port) => {
        this.boundPort = port;
        if (error) reject(error);
        else resolve(server);
      });
    });
  }

  /** Refuses new calls, waits for running ones and ends those that take too long. */
  override async close(): Promise<void> {
    const server = this.grpcClient as Server | null | undefined;
    if (!server) return;
    this.grpcClient = null;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      server.tryShutdown(() => resolve());
      timer = setTimeout(() => {
        server.forceShutdown();
        // grpc-js itself would wait for ever for a connection that it has given up because its client was silent.
        resolve();
      }, DRAIN_TIMEOUT_MS);
    });
    clearTimeout(timer);
  }

  private unaryHandler(method: string) {
    return (call: ServerUnaryCall<Bytes, Bytes>, callback: sendUnaryData<Bytes>): void => {
      const hangUp = new HangUp(call);
      this.endpoint!.unary(incoming(method, call, hangUp)).then(
        ({ message, metadata }) => {
          hangUp.ignore();
          callback(null, joined(message), toGrpcMetadata(metadata));
        },
        (error: unknown) => {
          hangUp.ignore();
          callback(serviceError(error));
        },
      );
    };
  }
}

type ServerCall = ServerUnaryCall<Bytes, Bytes>;

/** Ends a call's cancellation when its client hangs up before the answer. */
class HangUp {
  readonly cancellation = new Cancellation();
  private readonly end = () => this.cancellation.end(cancelled());

  constructor(private readonly call: ServerCall) {
    call.on('cancelled', this.end);
  }

  /** grpc-js says `cancelled` of every call, also after its answer; the error for that costs a stack trace. */
  ignore(): void {
    this.call.off('cancelled', this.end);
  }
}

function incoming(method: string, call: ServerCall, { cancellation }: HangUp): RpcCall {
  const deadline = Number(call.getDeadline());
  return {
    method,
    request: call.request,
    metadata: fromGrpcMetadata(call.metadata),
    budgetMs: Number.isFinite(deadline) ? deadline - Date.now() : DEFAULT_BUDGET_MS,
    cancellation,
  };
}

function serviceError(error: unknown): { code: number; details: string; metadata: Metadata } {
  if (!(error instanceof RpcStatusError)) throw error;
  return { code: error.code, details: error.message, metadata: toGrpcMetadata(error.metadata) };
}

/** The generated definition's paths and kinds, but messages stay bytes: the endpoint has the codec. */
function bytesDefinition({ definition }: RpcService): Record<string, MethodDefinition<Bytes, Bytes>> {
  const identity = (bytes: Bytes): Buffer => asBuffer(bytes);
  return Object.fromEntries(
    Object.entries(definition).map(([name, { path, requestStream, responseStream }]) => [
      name,
      {
        path,
        requestStream,
        responseStream,
        requestSerialize: identity,
        requestDeserialize: identity,
        responseSerialize: identity,
        responseDeserialize: identity,
      },
    ]),
  );
}
