import { setTimeout as delay } from 'node:timers/promises';
import type { ConsistencyToken } from '../context/request-context.js';
import type { ReadModel } from './projection.js';
import { KnownTokens } from './known-tokens.js';

/** The longest times that calls wait for their callers' writes (HTTP-3). */
export interface ConsistencyWaits {
  /** A read then answers what is there. A write's answer waits as long for the projections of its own process. */
  readMs: number;
  /** A write is then refused: it might decide on stale data. */
  writeMs: number;
}

/** Tells how far a service's projections have followed their topics. */
export interface ConsistencyGate {
  projects(topic: string): boolean;
  /** Whether the projection holds the token's version or a newer one. */
  isCaughtUp(token: ConsistencyToken): Promise<boolean>;
}

/** A gate over read models, one per topic. */
export function consistencyGate(models: readonly ReadModel[], known = new KnownTokens()): ConsistencyGate {
  const byTopic = new Map(models.map((model) => [model.topic.name, model]));
  if (byTopic.size < models.length)
    throw new Error('two read models of one topic: the gate would wait for one alone');
  return {
    projects: (topic) => byTopic.has(topic),
    async isCaughtUp(token) {
      if (known.has(token)) return true;
      const version = await byTopic.get(token.topic)?.versionOf(token.key);
      if (version === undefined || version < token.version) return false;
      known.add(token);
      return true;
    },
  };
}

const FIRST_PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 32;

/**
 * Waits until the projections have caught up with every token of the topics they follow; ignores other tokens. Resolves
 * to false if `timeoutMs` passes or `signal` aborts first.
 */
export async function waitForTokens(
  gate: ConsistencyGate,
  tokens: readonly ConsistencyToken[],
  { timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal },
): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  let missing = tokens.filter(({ topic }) => gate.projects(topic));
  for (let pause = FIRST_PAUSE_MS; missing.length > 0; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    const caughtUp = await Promise.all(missing.map((token) => gate.isCaughtUp(token)));
    missing = missing.filter((_, index) => !caughtUp[index]);
    if (missing.length === 0) break;
    const left = deadline - performance.now();
    if (left <= 0 || signal?.aborted) return false;
    // An abort ends the pause; the check of `signal` above then ends the wait.
    await delay(Math.min(pause, left), undefined, { signal }).catch(() => undefined);
  }
  return true;
}
