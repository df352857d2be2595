import { Lifetime } from '../context/lifetime.js';
import { cancelled, deadlineExceeded } from './rpc-status.js';

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Runs `work` until it settles, `budgetMs` have passed or `outer` ends, whichever is first; then its own lifetime ends
 * with the DomainError that the answer carries too. Work that fails after that is told to `onLate`.
 */
export function withinLifetime<T>(
  budgetMs: number,
  outer: Lifetime | undefined,
  work: (lifetime: Lifetime) => Promise<T>,
  onLate: (error: unknown) => void,
): Promise<T> {
  if (outer?.over) return Promise.reject(cancelled());
  if (budgetMs <= 0) return Promise.reject(deadlineExceeded());
  return new Promise<T>((resolve, reject) => {
    const lifetime = new Lifetime();
    const end = (reason: Error) => {
      settle();
      reject(reason);
      lifetime.end(reason);
    };
    const cancel = () => end(cancelled());
    const timer = setTimeout(() => end(deadlineExceeded()), Math.min(budgetMs, LONGEST_TIMER_MS));
    const settle = () => {
      clearTimeout(timer);
      outer?.offEnd(cancel);
    };
    outer?.onEnd(cancel);
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
