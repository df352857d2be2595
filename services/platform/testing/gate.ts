import { onTestEnd } from './on-test-end.js';
import { until } from './until.js';

export interface Gate<T = void> {
  /** Resolves at once when the gate opens; rejects if that takes longer than a test may, and says what was missing. */
  readonly opened: Promise<T>;
  open(value: T): void;
}

/**
 * A step of a test: either the test waits until the code under test has reached it, or it holds that code until the test
 * goes on. It opens when the test ends, so that a failed test leaves nothing behind that waits for it.
 */
export function gate<T = void>(what: string): Gate<T> {
  const { promise, resolve } = withResolvers<T>();
  let isOpen = false;
  const open = (value: T) => {
    isOpen = true;
    resolve(value);
  };
  onTestEnd(() => open(undefined as T));
  return {
    get opened() {
      return Promise.race([promise, until(() => isOpen, { what }).then(() => promise)]);
    },
    open,
  };
}

function withResolvers<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((given) => (resolve = given));
  return { promise, resolve };
}
