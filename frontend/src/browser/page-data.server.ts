import { rendering } from '../rendering/rendering.js';

export const renderedAt = (): number => rendering().at;

/** Undefined in the first round, after which it is asked for. */
export function answerOf<T>(path: string): T | undefined {
  const { answers } = rendering();
  if (!answers.has(path)) answers.set(path, undefined);
  return answers.get(path) as T | undefined;
}
