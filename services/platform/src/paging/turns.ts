import { currentContext } from '../context/request-context.js';
import { unavailable } from '../errors/domain-error.js';

/** How often a list reads on to replace what its reader may not see. */
export const MAX_TURNS = 4;

/**
 * The turns in which a list fills one page up. When they are used up, the page stays short, and its cursor leads on
 * (HTTP-5). Throws `unavailable` instead of a turn that nobody waits for any more.
 */
export function* turns(): Generator<number, void> {
  for (let turn = 0; turn < MAX_TURNS; turn++) {
    if (turn > 0 && currentContext()?.cancellation.over) throw unavailable();
    yield turn;
  }
}
