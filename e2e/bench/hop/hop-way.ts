import type { MessageHandler } from '@nestjs/microservices';
import type { RpcAnswer, RpcCall } from '@pulso/platform/rpc/rpc-channel';
import type { RpcEndpointOptions } from '@pulso/platform/rpc/rpc-endpoint';

/** What answers calls: an RpcEndpoint. */
export type Answer = (call: RpcCall) => Promise<RpcAnswer>;

/** What the endpoint is made of, for a server that makes it itself. */
export interface Parts {
  options: RpcEndpointOptions;
  handlers: ReadonlyMap<string, MessageHandler>;
}

export interface Served {
  port: number;
}

/** A way from one process to the other, with deadlines, cancellation, metadata in both directions, and errors with theirs. */
export interface Way {
  serve(answer: Answer, parts: Parts): Promise<Served>;
  /** Calls over connections that are kept. */
  connect(port: number): { unary(call: RpcCall): Promise<RpcAnswer> };
}

export const SERVICE = 'pulso.bench.v1.HopService';
export const pathOf = (method: string) => `/${SERVICE}/${method.charAt(0).toUpperCase()}${method.slice(1)}`;
export const methodOf = (path: string) => {
  const name = path.slice(SERVICE.length + 2);
  return name.charAt(0).toLowerCase() + name.slice(1);
};
