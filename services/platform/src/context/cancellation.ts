/** How long somebody waits for what is being done, and how whoever does it is told that nobody does any more. */
export class Cancellation {
  private controller: AbortController | undefined;
  private reason: Error | undefined;
  private readonly listeners: ((reason: Error) => void)[] = [];

  /**
   * Aborts with the reason. Made when first asked for: most requests are over before anybody looks, and one costs as
   * much as the rest of a short call.
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

  /** Calls `listener` when this ends, unless it has: look at `over` first. */
  onEnd(listener: (reason: Error) => void): void {
    this.listeners.push(listener);
  }

  offEnd(listener: (reason: Error) => void): void {
    const position = this.listeners.indexOf(listener);
    if (position >= 0) this.listeners.splice(position, 1);
  }
}
