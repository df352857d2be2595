import type { InProcessNetwork } from './in-process.js';
import type { KeepaliveOptions } from './grpc-options.js';

/** How to reach a service: within this process, or by gRPC at `host:port` (also `dns:///name:port`). */
export type RpcTransport =
  | { kind: 'in-process'; network: InProcessNetwork }
  | { kind: 'grpc'; url: string; keepalive?: KeepaliveOptions };
