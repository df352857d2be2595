import { inspect, isDeepStrictEqual } from 'node:util';
import { until } from '@pulso/platform/testing/until';

interface Waiting {
  /** What is waited for, in words that a failed test shows. */
  what: string;
  /** As of `until`. */
  limit?: number;
}

/** Repeats a request until its answer is the wanted one, which it resolves with. Rejects as `until`, with the last answer. */
export async function waitFor<T>(
  ask: () => T | Promise<T>,
  isWanted: (answer: T) => boolean,
  { what, limit }: Waiting,
): Promise<T> {
  let last: T | undefined;
  const isThere = async () => isWanted((last = await ask()));
  await until(isThere, { what: () => `${what}; the last answer was ${shown(last)}`, limit });
  return last as T;
}

/** Repeats a request until its answer equals `wanted`. */
export async function waitForEqual<T>(
  ask: () => Promise<T>,
  wanted: T,
  { what, limit }: Waiting,
): Promise<void> {
  const missing = `${what}, which is ${shown(wanted)}`;
  await waitFor(ask, (answer) => isDeepStrictEqual(answer, wanted), { what: missing, limit });
}

const shown = (value: unknown) => inspect(value, { depth: 6, breakLength: Infinity });
