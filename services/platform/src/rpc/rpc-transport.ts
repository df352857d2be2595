import type { InProcessNetwork } from './in-process.js';
import type { KeepaliveOptions } from './connect-protocol.js';

/** How to reach a service: within this process, or by Connect over HTTP at `host:port`, to clients also at several, as `rpcUrl` says. */
export type RpcTransport =
  | { kind: 'in-process'; network: InProcessNetwork }
  | { kind: 'connect'; url: string; keepalive?: KeepaliveOptions };
