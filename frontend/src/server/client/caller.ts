import { SessionOverError } from '../http/api-error.js';
import type { SessionState } from '../session/session-store.js';

/** The part of the session that tells who the viewer is. */
export interface ViewerSource {
  getState(): SessionState;
}

/** @throws SessionOverError when somebody else is the viewer now. */
export type CheckCaller = () => void;

const VISITOR = '';

function viewerOf(state: SessionState): string | undefined {
  if (state.status === 'booting') return undefined;
  return state.status === 'signed-in' ? state.user.id : VISITOR;
}

/**
 * Remembers who makes a call. Checked after each wait, so that the call does not go out as another user. A call of a page that
 * starts waits for the session, and is made by the viewer that this brings (ACCT-25).
 */
export function rememberCaller(viewers: ViewerSource): CheckCaller {
  let caller = viewerOf(viewers.getState());
  return () => {
    const viewer = viewerOf(viewers.getState());
    caller ??= viewer;
    if (viewer !== caller) throw new SessionOverError('the viewer has changed');
  };
}
