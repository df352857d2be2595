import { isObservable, type Observable } from 'rxjs';

/**
 * Passes every item to `write`, one after the other. An async iterable is read as fast as `write` allows; an Observable
 * can't be slowed down, so its items wait in memory. Stops and ends the source when `signal` aborts.
 */
export async function drainAnswer(
  source: unknown,
  write: (item: unknown) => Promise<void> | void,
  signal: AbortSignal,
): Promise<void> {
  if (isObservable(source)) return drainObservable(source, write, signal);
  if (!isAsyncIterable(source))
    throw new TypeError('A streaming rpc must return an Observable or an async iterable');
  for await (const item of source) {
    // Leaving the loop calls the iterator's return(), so that generators run their `finally` blocks.
    signal.throwIfAborted();
    await write(item);
    signal.throwIfAborted();
  }
}

function drainObservable(
  source: Observable<unknown>,
  write: (item: unknown) => Promise<void> | void,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let written: Promise<void> = Promise.resolve();
    const stop = (error: unknown) => {
      subscription.unsubscribe();
      reject(error);
    };
    const abort = () => stop(signal.reason);
    const subscription = source.subscribe({
      next: (item) => {
        written = written.then(() => write(item));
        written.catch(stop);
      },
      error: (error: unknown) => void written.then(() => reject(error), reject),
      complete: () => void written.then(resolve, reject),
    });
    signal.addEventListener('abort', abort, { once: true });
    subscription.add(() => signal.removeEventListener('abort', abort));
  });
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
