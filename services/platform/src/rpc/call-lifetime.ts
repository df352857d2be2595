import { cancelled, deadlineExceeded } from './rpc-status.js';

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Why and when a call ends before its handler does. */
export class CallLifetime {
  private controller: AbortController | undefined;
  private ended: Error | undefined;

  /** Made when first asked for: most calls are over before anybody looks, and it costs as much as the rest of one. */
  get signal(): AbortSignal {
    this.controller ??= new AbortController();
    if (this.ended && !this.controller.signal.aborted) this.controller.abort(this.ended);
    return this.controller.signal;
  }

  get over(): boolean {
    return this.ended !== undefined;
  }

  end(reason: Error): void {
    this.ended ??= reason;
    this.controller?.abort(this.ended);
  }
}

/**
 * Runs `work` until it settles, `budgetMs` have passed or `outer` aborts, whichever is first; then its lifetime's
 * signal aborts with the DomainError that the answer carries too. Work that fails after that is told to `onLate`.
 */
export function withinLifetime<T>(
  budgetMs: number,
  outer: AbortSignal | undefined,
  work: (lifetime: CallLifetime) => Promise<T>,
  onLate: (error: unknown) => void,
): Promise<T> {
  if (outer?.aborted) return Promise.reject(cancelled());
  if (budgetMs <= 0) return Promise.reject(deadlineExceeded());
  return new Promise<T>((resolve, reject) => {
    const lifetime = new CallLifetime();
    const end = (reason: Error) => {
      settle();
      reject(reason);
      lifetime.end(reason);
    };
    const cancel = () => end(cancelled());
    const timer = setTimeout(() => end(deadlineExceeded()), Math.min(budgetMs, LONGEST_TIMER_MS));
    const settle = () => {
      clearTimeout(timer);
      outer?.removeEventListener('abort', cancel);
    };
    outer?.addEventListener('abort', cancel);
    work(lifetime).then(
      (value) => {
        settle();
        resolve(value);
      },
      (error: unknown) => {
        settle();
        if (lifetime.over) onLate(error);
        else reject(error);
      },
    );
  });
}
