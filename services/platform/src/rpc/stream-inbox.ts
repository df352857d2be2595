/** Passes a stream's messages from transport to reader, one at a time: the transport waits until each has been taken. */
export class StreamInbox implements AsyncIterable<Uint8Array> {
  private readonly waiting: { message: Uint8Array; taken: () => void }[] = [];
  private ended = false;
  private wake: (() => void) | undefined;

  put(message: Uint8Array): Promise<void> {
    if (this.ended) return Promise.resolve();
    return new Promise((taken) => {
      this.waiting.push({ message, taken });
      this.wake?.();
    });
  }

  /** Ends the stream and all waits. Messages that were put before can still be read. */
  end(): void {
    this.ended = true;
    for (const { taken } of this.waiting) taken();
    this.wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void> {
    for (;;) {
      const next = this.waiting.shift();
      if (next) {
        next.taken();
        yield next.message;
      } else if (this.ended) {
        return;
      } else {
        await new Promise<void>((resolve) => (this.wake = resolve));
      }
    }
  }
}
