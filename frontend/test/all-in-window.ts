/** A browser in whose window everything is: jsdom has no layout, and shows nothing. Returns what ends it. */
export function allInWindow(): () => void {
  const { IntersectionObserver: before } = globalThis;
  globalThis.IntersectionObserver = class {
    constructor(private readonly callback: (entries: { isIntersecting: boolean }[]) => void) {}
    observe() {
      queueMicrotask(() => this.callback([{ isIntersecting: true }]));
    }
    disconnect() {}
  } as never;
  return () => void (globalThis.IntersectionObserver = before);
}
