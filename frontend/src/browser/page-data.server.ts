import { rendering } from '../rendering/rendering.js';

/** What the page is made of comes from the rendering itself. */
export const pageData = (): undefined => undefined;

export const renderedAt = (): number => rendering().at;

/** Undefined in the first round, after which it is asked for. */
export function answerOf<T>(path: string): T | undefined {
  const { answers } = rendering();
  if (!answers.has(path)) answers.set(path, undefined);
  return answers.get(path) as T | undefined;
}
