import { InProcessSignals } from '@pulso/platform/signals/in-process-signals';
import type { SignalListener } from '@pulso/platform/signals/signals';

/** Signals whose subscription the test cuts. */
export class CutSignals extends InProcessSignals {
  private readonly heard = new Set<SignalListener>();

  override listen(listener: SignalListener): () => void {
    this.heard.add(listener);
    return super.listen(listener);
  }
  lose(): void {
    for (const listener of this.heard) listener.lost?.();
  }
  resume(): void {
    for (const listener of this.heard) listener.resumed?.();
  }
}
