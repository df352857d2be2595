export interface Backoff {
  /** Milliseconds before the first retry; the pause then doubles up to `longestMs`. */
  firstMs: number;
  longestMs: number;
}

/** Milliseconds before retry number `failures` (from 1); doubles from `firstMs` up to `longestMs`. */
export function backoffMs(failures: number, { firstMs, longestMs }: Backoff): number {
  return Math.min(firstMs * 2 ** Math.min(failures - 1, 30), longestMs);
}
