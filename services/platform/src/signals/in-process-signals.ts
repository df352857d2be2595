import { type SignalListener, Signals } from './signals.js';

/** Signals within one process: none is ever lost. */
export class InProcessSignals extends Signals {
  private readonly listeners = new Set<SignalListener>();

  override send(channel: string): void {
    // Later, as from another process: no listener runs within the sender's call.
    setImmediate(() => {
      for (const listener of this.listeners) listener.heard(channel);
    });
  }

  override listen(listener: SignalListener): () => void {
    this.listeners.add(listener);
    listener.resumed?.();
    return () => void this.listeners.delete(listener);
  }
}
