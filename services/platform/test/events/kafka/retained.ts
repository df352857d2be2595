import { getEventListeners } from 'node:events';
import { inspect } from 'node:util';
import { onTestEnd } from '../../../testing/on-test-end.js';

const isObject = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || typeof value === 'function';

/** How many objects are reached from `root` by properties, by entries of maps and sets, and by listeners of signals. */
export function reachableFrom(root: object): number {
  const seen = new Set<object>([root]);
  // The loop also visits what it adds.
  for (const object of seen) for (const next of held(object)) if (isObject(next)) seen.add(next);
  return seen.size;
}

function* held(object: object): Iterable<unknown> {
  // A timer refers to all others of the process.
  if (object.constructor?.name === 'Timeout') return;
  for (const { value } of Object.values(Object.getOwnPropertyDescriptors(object))) yield value as unknown;
  if (object instanceof Map) for (const entry of object) yield* entry as [unknown, unknown];
  if (object instanceof Set) yield* object;
  if (object instanceof AbortSignal) yield* getEventListeners(object, 'abort');
}

/**
 * Counts, until the test ends, the reactions given to each promise, also by `Promise.race`. A promise keeps them, and
 * what they refer to, as long as it is pending. Returns the most that one of those promises keeps.
 */
export function countReactions(): () => number {
  const counts = new Map<object, number>();
  const { prototype } = Promise;
  const then = Object.getOwnPropertyDescriptor(prototype, 'then')!;
  const original = then.value as (...reactions: unknown[]) => unknown;
  onTestEnd(() => void Object.defineProperty(prototype, 'then', then));
  void Object.defineProperty(prototype, 'then', {
    ...then,
    value(this: object, ...reactions: unknown[]) {
      counts.set(this, (counts.get(this) ?? 0) + 1);
      return original.apply(this, reactions);
    },
  });
  return () => {
    const pending = [...counts].filter(([promise]) => inspect(promise).includes('<pending>'));
    return Math.max(0, ...pending.map(([, count]) => count));
  };
}
