import { setTimeout as delay } from 'node:timers/promises';

/** Asks until the answer is as wanted; the last one is returned when `timeoutMs` has not been enough. */
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
