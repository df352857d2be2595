import { Cancellation } from '../context/cancellation.js';
import { cancelled, deadlineExceeded } from './rpc-status.js';

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Runs `work` until it settles, `budgetMs` pass or `outer` ends, whichever is first. Then the work's own cancellation ends
 * with the same DomainError that the caller gets. If the work fails later, `onLate` gets its error.
 */
export function withCancellation<T>(
  budgetMs: number,
  outer: Cancellation | undefined,
  work: (cancellation: Cancellation) => Promise<T>,
  onLate: (error: unknown) => void,
): Promise<T> {
  if (outer?.over) return Promise.reject(cancelled());
  if (budgetMs <= 0) return Promise.reject(deadlineExceeded());
  return new Promise<T>((resolve, reject) => {
    const cancellation = new Cancellation();
    const end = (reason: Error) => {
      settle();
      reject(reason);
      cancellation.end(reason);
    };
    const cancel = () => end(cancelled());
    const timer = setTimeout(() => end(deadlineExceeded()), Math.min(budgetMs, LONGEST_TIMER_MS));
    const settle = () => {
      clearTimeout(timer);
      outer?.offEnd(cancel);
    };
    outer?.onEnd(cancel);
    work(cancellation).then(
      (value) => {
        settle();
        resolve(value);
      },
      (error: unknown) => {
        settle();
        if (cancellation.over) onLate(error);
        else reject(error);
      },
    );
  });
}
