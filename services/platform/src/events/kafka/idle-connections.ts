import RequestQueue from 'kafkajs/src/network/requestQueue/index.js';

/** A request without an answer is noticed at most so much later than its limit. */
const TIMEOUTS_MS = 5_000;
/** As in kafkajs. */
const WAITING_MS = 10;

/**
 * Replaces two timers of kafkajs 2.2.4, for which it has no settings: each of its connections wakes the process a thousand times
 * a second to look for requests that wait to be sent, for ever after its first answer, and ten times a second for requests that
 * took too long. An idle process did little else.
 */
export function calmIdleConnections(): void {
  const queue = RequestQueue.prototype;

  // What comes later asks for it again.
  queue.scheduleCheckPendingRequests = function (this: RequestQueue): void {
    if (this.pending.length === 0 || this.throttleCheckTimeoutId) return;
    const throttledMs = this.throttledUntil - Date.now();
    const check = () => {
      this.throttleCheckTimeoutId = null;
      this.checkPendingRequests();
    };
    this.throttleCheckTimeoutId = setTimeout(check, throttledMs > 0 ? throttledMs : WAITING_MS);
  };

  queue.scheduleRequestTimeoutCheck = function (this: RequestQueue): void {
    this.destroy();
    const check = () => {
      const now = Date.now();
      for (const request of this.inflight.values())
        if (now - request.sentAt > request.requestTimeout) request.timeoutRequest();
      if (!this.isConnected()) this.destroy();
    };
    this.requestTimeoutIntervalId = setInterval(check, Math.min(this.requestTimeout, TIMEOUTS_MS));
  };
}
