import type { SessionState } from './session-store.js';

/** Pages are rendered as visitors see them. */
const VISITOR: SessionState = { status: 'signed-out', reason: 'none' };

export const session = { getState: () => VISITOR, subscribe: () => () => undefined };

export const useSession = (): SessionState => VISITOR;

export const expectsSession = (): boolean => false;

export const useCurrentUser = () => undefined;

export const viewerId = () => undefined;
