import { setMaxListeners } from 'node:events';

interface Limits {
  limitMs: number;
  /** Ends every question, as the process does. */
  stop: AbortSignal;
}

/**
 * Asks a foreign system, and waits for the answer until the limit or the stop: the signal that the question has is aborted then, and
 * this rejects, whether or not the question heeds it. An answer that comes afterwards goes to `late`.
 */
export async function askWithin<T>(
  { limitMs, stop }: Limits,
  question: (signal: AbortSignal) => Promise<T>,
  late: (answer: T) => void = () => undefined,
): Promise<T> {
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(new Error(`no answer within ${limitMs} ms`)), limitMs);
  const end = () => over.abort(new Error('the process stops'));
  // As many as there are questions; each one goes with its end.
  setMaxListeners(0, stop);
  stop.addEventListener('abort', end, { once: true });
  if (stop.aborted) end();
  try {
    return await new Promise<T>((resolve, reject) => {
      const giveUp = () => reject(over.signal.reason as Error);
      if (over.signal.aborted) giveUp();
      over.signal.addEventListener('abort', giveUp, { once: true });
      question(over.signal).then((answer) => (over.signal.aborted ? late(answer) : resolve(answer)), reject);
    });
  } finally {
    clearTimeout(timer);
    stop.removeEventListener('abort', end);
  }
}
