import type { Cancellation } from '../context/cancellation.js';
import type { MessageParts } from './service-definition.js';
import type { WireMetadata } from './wire-metadata.js';

/** One call on its way: the transports carry bytes, what they mean is the client's and the endpoint's business. */
export interface RpcCall {
  /** lowerCamel, as in the service's definition. */
  method: string;
  request: Uint8Array;
  metadata: WireMetadata;
  /** Milliseconds the call may take; relative, so that clocks need not agree. */
  budgetMs: number;
  /** Ends when the caller has lost interest. */
  cancellation: Cancellation | undefined;
}

export interface RpcAnswer {
  message: Uint8Array | MessageParts;
  metadata: WireMetadata;
}

/** Takes one message of a streamed answer; a promise asks the sender to wait. */
export type RpcSink = (message: Uint8Array) => Promise<void> | void;

/** The client's end of a transport. Failures are RpcStatusError. */
export interface RpcChannel {
  unary(call: RpcCall): Promise<RpcAnswer>;
  /** Resolves with the trailing metadata when the stream has ended. */
  stream(call: RpcCall, sink: RpcSink): Promise<WireMetadata>;
  close(): Promise<void>;
}
