import { endWithParent } from './end-with-parent.mjs';

/**
 * Aborts on SIGINT and SIGTERM, and when npm is gone that started this program. Signals no longer end the program by
 * themselves: the caller stops what it has started and exits. Ctrl-C arrives twice, from the terminal and from npm.
 *
 * @returns {AbortSignal}
 */
export function abortOnSignal() {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM']) process.on(name, () => controller.abort());
  endWithParent();
  return controller.signal;
}
