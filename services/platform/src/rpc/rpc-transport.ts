import type { InProcessNetwork } from './in-process.js';

/** How a service is reached: within this process, or by gRPC at `host:port` (also `dns:///name:port`). */
export type RpcTransport = { kind: 'in-process'; network: InProcessNetwork } | { kind: 'grpc'; url: string };
