/** The cancellation of a request: tells its handlers that the caller no longer waits for the answer. */
export class Cancellation {
  private controller: AbortController | undefined;
  private reason: Error | undefined;
  private readonly listeners: ((reason: Error) => void)[] = [];

  /**
   * Aborts with the reason. The AbortController is made on first use: most requests never need one, and making it costs
   * as much as the rest of a short call.
   */
  get signal(): AbortSignal {
    this.controller ??= new AbortController();
    if (this.reason && !this.controller.signal.aborted) this.controller.abort(this.reason);
    return this.controller.signal;
  }

  get over(): boolean {
    return this.reason !== undefined;
  }

  /** Only the first reason counts. */
  end(reason: Error): void {
    if (this.reason) return;
    this.reason = reason;
    this.controller?.abort(reason);
    for (const listener of this.listeners.splice(0)) listener(reason);
  }

  /** Calls `listener` when the request ends. Never calls it if the request has ended already: check `over` first. */
  onEnd(listener: (reason: Error) => void): void {
    this.listeners.push(listener);
  }

  offEnd(listener: (reason: Error) => void): void {
    const position = this.listeners.indexOf(listener);
    if (position >= 0) this.listeners.splice(position, 1);
  }
}
