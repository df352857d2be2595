import { Server, Transport, type CustomTransportStrategy, type MessageHandler } from '@nestjs/microservices';
import { HandlerTable } from './handler-table.js';
import type { RpcAnswer, RpcCall, RpcChannel } from './rpc-channel.js';
import { DRAIN_TIMEOUT_MS, RpcEndpoint, type RpcEndpointOptions } from './rpc-endpoint.js';
import { toStatusError } from './rpc-status.js';
import { unavailable } from '../errors/domain-error.js';

/** The services that run in this process, by their fully qualified name. */
export class InProcessNetwork {
  private readonly endpoints = new Map<string, RpcEndpoint>();

  attach(service: string, endpoint: RpcEndpoint): void {
    if (this.endpoints.has(service)) throw new Error(`${service} runs in this process already`);
    this.endpoints.set(service, endpoint);
  }

  detach(service: string, endpoint: RpcEndpoint): void {
    if (this.endpoints.get(service) === endpoint) this.endpoints.delete(service);
  }

  endpoint(service: string): RpcEndpoint | undefined {
    return this.endpoints.get(service);
  }
}

/**
 * Serves Nest's `@GrpcMethod` handlers without a socket. Messages are still encoded by the generated codec, so that
 * neither side sees the other's objects or fields that the contract doesn't declare.
 */
export class InProcessServer extends Server implements CustomTransportStrategy {
  override transportId = Transport.GRPC;
  private readonly table: HandlerTable;
  private running: RpcEndpoint | undefined;

  constructor(
    private readonly network: InProcessNetwork,
    private readonly endpointOptions: RpcEndpointOptions,
  ) {
    super();
    this.table = new HandlerTable(endpointOptions.service);
  }

  override addHandler(pattern: unknown, handler: MessageHandler): void {
    this.table.add(pattern, handler);
  }

  listen(callback: (error?: unknown) => void): void {
    try {
      this.running = new RpcEndpoint(this.endpointOptions, this.table.complete());
      this.network.attach(this.endpointOptions.service.name, this.running);
      callback();
    } catch (error) {
      callback(error);
    }
  }

  async close(): Promise<void> {
    if (!this.running) return;
    this.network.detach(this.endpointOptions.service.name, this.running);
    await this.running.drain(DRAIN_TIMEOUT_MS);
  }

  override on(): never {
    throw new Error('The in-process transport has no events');
  }

  override unwrap(): never {
    throw new Error('The in-process transport has no server underneath');
  }
}

/** The client side. It looks up the service at each call, so the service may start later or restart. */
export class InProcessChannel implements RpcChannel {
  constructor(
    private readonly network: InProcessNetwork,
    private readonly service: string,
  ) {}

  unary(call: RpcCall): Promise<RpcAnswer> {
    const endpoint = this.network.endpoint(this.service);
    return endpoint ? endpoint.unary(call) : Promise.reject(toStatusError(unavailable()));
  }

  async close(): Promise<void> {
    // There is nothing to close.
  }
}
