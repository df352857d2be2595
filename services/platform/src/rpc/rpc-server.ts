import { ConnectServer } from './connect-server.js';
import { InProcessServer } from './in-process.js';
import { createRpcMetrics, noRpcMetrics } from './rpc-metrics.js';
import type { RpcEndpointOptions } from './rpc-endpoint.js';
import type { RpcTransport } from './rpc-transport.js';
import type { Registry } from 'prom-client';

export type RpcServer = ConnectServer | InProcessServer;

/**
 * Nest's custom strategy for one service over the transport. Every handler runs in a RequestContext with the caller that
 * the access token names. Its DomainErrors reach the client; any other error is logged and becomes `internal`, or
 * `unavailable` while a store is in trouble. `listen` rejects if a declared method has no handler, if a handler belongs
 * to another contract, and for streams.
 */
export function createRpcServer(
  transport: RpcTransport,
  { registry, ...options }: Omit<RpcEndpointOptions, 'metrics'> & { registry?: Registry },
): RpcServer {
  const endpoint = { ...options, metrics: registry ? createRpcMetrics(registry) : noRpcMetrics };
  return transport.kind === 'in-process'
    ? new InProcessServer(transport.network, endpoint)
    : new ConnectServer(transport.url, endpoint, transport.keepalive);
}

/** The transport by which clients reach a listening server: the given one, with the bound port. */
export function transportOf(given: RpcTransport, server: RpcServer): RpcTransport {
  return server instanceof ConnectServer ? { kind: 'connect', url: server.boundUrl } : given;
}
