import type { Cancellation } from '../context/cancellation.js';
import type { MessageParts } from './service-definition.js';
import type { WireMetadata } from './wire-metadata.js';

/** One call on a transport. Transports carry bytes; only the client and the endpoint decode them. */
export interface RpcCall {
  /** lowerCamel, as in the service's definition. */
  method: string;
  request: Uint8Array;
  metadata: WireMetadata;
  /** Milliseconds that the call may take; relative, because clocks may differ. */
  budgetMs: number;
  /** Ends when the caller cancels the call. */
  cancellation: Cancellation | undefined;
}

export interface RpcAnswer {
  message: Uint8Array | MessageParts;
  metadata: WireMetadata;
}

/** The client side of a transport. Rejects with RpcStatusError. */
export interface RpcChannel {
  unary(call: RpcCall): Promise<RpcAnswer>;
  close(): Promise<void>;
}
