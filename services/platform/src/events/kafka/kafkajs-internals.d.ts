/** What `idle-connections.ts` uses of the inside of kafkajs 2.2.4, which has no types for it. */
declare module 'kafkajs/src/network/requestQueue/index.js' {
  interface Request {
    /** Milliseconds since the epoch. */
    sentAt: number;
    requestTimeout: number;
    /** Rejects the request, and takes it out of `inflight`. */
    timeoutRequest(): void;
  }

  /** The requests of one connection. */
  export default class RequestQueue {
    requestTimeout: number;
    requestTimeoutIntervalId: NodeJS.Timeout | undefined;
    throttleCheckTimeoutId: NodeJS.Timeout | null;
    /** The broker wants no requests before, in milliseconds since the epoch. */
    throttledUntil: number;
    readonly inflight: Map<number, Request>;
    /** Not sent yet. */
    readonly pending: readonly Request[];
    readonly isConnected: () => boolean;
    scheduleRequestTimeoutCheck(): void;
    scheduleCheckPendingRequests(): void;
    /** Sends what may be sent, and looks again later if something is left. */
    checkPendingRequests(): void;
    /** Ends its timers. */
    destroy(): void;
  }
}
