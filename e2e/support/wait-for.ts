import { setTimeout as delay } from 'node:timers/promises';

/** Repeats a request until its result is accepted; after `timeoutMs` it returns the last result. */
export async function waitFor<T>(
  ask: () => Promise<T>,
  isWanted: (answer: T) => boolean,
  timeoutMs: number,
): Promise<T> {
  const until = performance.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (isWanted(answer) || performance.now() > until) return answer;
    await delay(20);
  }
}
