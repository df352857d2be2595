import { setTimeout as delay } from 'node:timers/promises';
import type { WriteMark } from '../context/request-context.js';
import type { ReadModel } from './projection.js';
import { SeenMarks } from './seen-marks.js';

/** What a service's projections have seen of the topics they follow. */
export interface ProjectionGate {
  projects(topic: string): boolean;
  /** Whether the projection holds the mark's version or a newer one. */
  hasSeen(mark: WriteMark): Promise<boolean>;
}

/** A gate over read models, one a topic. */
export function projectionGate(models: readonly ReadModel[], seen = new SeenMarks()): ProjectionGate {
  const byTopic = new Map(models.map((model) => [model.topic.name, model]));
  return {
    projects: (topic) => byTopic.has(topic),
    async hasSeen(mark) {
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
export async function waitForMarks(
  gate: ProjectionGate,
  marks: readonly WriteMark[],
  { timeoutMs = 500, signal }: { timeoutMs?: number; signal?: AbortSignal } = {},
): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  let missing = marks.filter(({ topic }) => gate.projects(topic));
  for (let pause = FIRST_PAUSE_MS; missing.length > 0; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    const seen = await Promise.all(missing.map((mark) => gate.hasSeen(mark)));
    missing = missing.filter((_, index) => !seen[index]);
    if (missing.length === 0) break;
    const left = deadline - performance.now();
    if (left <= 0 || signal?.aborted) return false;
    // Aborting ends the pause; the look at `signal` above then ends the wait.
    await delay(Math.min(pause, left), undefined, { signal }).catch(() => undefined);
  }
  return true;
}
