import { afterEach, beforeEach } from '@jest/globals';

/** jsdom lays nothing out: in these suites whatever is watched is in the window. */
export function allInView(): void {
  const { IntersectionObserver: before } = globalThis;
  beforeEach(() => {
    globalThis.IntersectionObserver = class {
      constructor(private readonly callback: (entries: { isIntersecting: boolean }[]) => void) {}
      observe() {
        queueMicrotask(() => this.callback([{ isIntersecting: true }]));
      }
      disconnect() {}
    } as never;
  });
  afterEach(() => {
    globalThis.IntersectionObserver = before;
  });
}
