import { endWithParent } from './end-with-parent.mjs';

/**
 * Aborts on SIGINT and SIGTERM, and when the npm that started this program has ended. Signals then no longer end the
 * program: the caller stops what it has started and exits. Ctrl-C arrives twice, from the terminal and from npm.
 *
 * @returns {AbortSignal}
 */
export function abortOnSignal() {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM']) process.on(name, () => controller.abort());
  endWithParent();
  return controller.signal;
}
