/** The unary protocol of Connect over HTTP/1.1: `POST /<service>/<Method>`, the message as the body. */
export const MESSAGE_TYPE = 'application/proto';
export const ERROR_TYPE = 'application/json';
export const PROTOCOL_VERSION_HEADER = 'connect-protocol-version';
export const PROTOCOL_VERSION = '1';
/** Milliseconds that the call may take, in at most 10 digits. */
export const TIMEOUT_HEADER = 'connect-timeout-ms';
/** Answers 200 to GET while the process lives. Clients ask for it to find out whether a silent peer is still there. */
export const PROBE_PATH = '/healthz';

/** Headers carry the details of validation errors and `Pulso-After`; Node's own limit is 16 KiB. */
export const MAX_HEADER_BYTES = 64 * 1024;

export interface KeepaliveOptions {
  /** After so long in silence a peer is asked whether it is there. */
  timeMs: number;
  /** How long its answer may take. */
  timeoutMs: number;
}

/** A host that has died closes no connection: who keeps one has to ask. */
export const KEEPALIVE: KeepaliveOptions = { timeMs: 10_000, timeoutMs: 5_000 };
