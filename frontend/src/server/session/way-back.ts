import { tryStorage } from '../../browser/try-storage.js';

/** Where a login that a page or a press asked for leads back to (UI-4). */
interface WayBack {
  /** A path of our own, with its query. */
  path: string;
  /** What was pressed, such as a like: done on arrival. */
  meant?: string;
  /** When it was asked for, in ms. */
  at: number;
}

const STORAGE_KEY = 'pulso.way-back';
/** After this time, in ms, nobody expects a press to count any more. */
const ACTION_MAX_AGE_MS = 10 * 60_000;

/** The `state` of a navigation to /login or /signup that leads back. One without it, from the bar, does not. */
export const RETURNING = { returning: true } as const;

export const isReturning = (state: unknown): boolean =>
  (state as Partial<typeof RETURNING> | null)?.returning === true;

/** In the tab's sessionStorage: it outlives a reload of the login page. Without access to it, a login leads to /feed. */
export function rememberWayBack(path: string, action?: string): void {
  const wayBack: WayBack = { path, meant: action, at: Date.now() };
  tryStorage(() => sessionStorage.setItem(STORAGE_KEY, JSON.stringify(wayBack)));
}

export const forgetWayBack = (): void => void tryStorage(() => sessionStorage.removeItem(STORAGE_KEY));

const stored = () =>
  tryStorage(() => JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? 'null') as WayBack | null);

/** The path to return to; undefined when there is none, or it is not of this site. */
export function wayBack(): string | undefined {
  const path = stored()?.path;
  return path !== undefined && /^\/(?![/\\])/.test(path) ? path : undefined;
}

/** What was pressed at `path` before the login. */
export function pendingActionAt(path: string): string | undefined {
  const asked = stored();
  return asked?.path === path && Date.now() - asked.at < ACTION_MAX_AGE_MS ? asked.meant : undefined;
}
