import { setTimeout as delay } from 'node:timers/promises';
import type { ConsistencyToken } from '../context/request-context.js';
import type { ReadModel } from './projection.js';
import { SeenTokens } from './seen-tokens.js';

/** What a service's projections have seen of the topics they follow. */
export interface ConsistencyGate {
  projects(topic: string): boolean;
  /** Whether the projection holds the mark's version or a newer one. */
  isCaughtUp(mark: ConsistencyToken): Promise<boolean>;
}

/** A gate over read models, one a topic. */
export function consistencyGate(models: readonly ReadModel[], seen = new SeenTokens()): ConsistencyGate {
  const byTopic = new Map(models.map((model) => [model.topic.name, model]));
  return {
    projects: (topic) => byTopic.has(topic),
    async isCaughtUp(mark) {
      if (seen.has(mark)) return true;
      const version = await byTopic.get(mark.topic)?.versionOf(mark.key);
      if (version === undefined || version < mark.version) return false;
      seen.add(mark);
      return true;
    },
  };
}

const FIRST_PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 32;

/**
 * Waits until the projections hold every mark they follow; other marks are not waited for. Answers false when
 * `timeoutMs` has passed or `signal` aborted first.
 */
export async function waitForTokens(
  gate: ConsistencyGate,
  marks: readonly ConsistencyToken[],
  { timeoutMs = 500, signal }: { timeoutMs?: number; signal?: AbortSignal } = {},
): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  let missing = marks.filter(({ topic }) => gate.projects(topic));
  for (let pause = FIRST_PAUSE_MS; missing.length > 0; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    const seen = await Promise.all(missing.map((mark) => gate.isCaughtUp(mark)));
    missing = missing.filter((_, index) => !seen[index]);
    if (missing.length === 0) break;
    const left = deadline - performance.now();
    if (left <= 0 || signal?.aborted) return false;
    // Aborting ends the pause; the look at `signal` above then ends the wait.
    await delay(Math.min(pause, left), undefined, { signal }).catch(() => undefined);
  }
  return true;
}
