import { useSyncExternalStore } from 'react';
import { NetworkError } from '../http/api-error.js';
import { fetchWithTimeout } from '../http/fetch-with-timeout.js';
import type { Me, RefreshedSession } from '../../api/types.js';
import { tryStorage } from '../../browser/try-storage.js';
import { firstQuery, keepFirstReads } from './first-reads.js';
import { browserSessionChannel } from './session-channel.js';
import { SessionStore } from './session-store.js';
import type { RefreshOutcome, SessionState } from './session-store.js';

/** POST /api/auth/refresh. Only a 401 or 403 ends the session; other failures are retried. */
async function refresh(): Promise<RefreshOutcome> {
  try {
    const response = await fetchWithTimeout(`/api/auth/refresh${firstQuery()}`, { method: 'POST' });
    if (response.ok) {
      const { first, ...own } = (await response.json()) as RefreshedSession;
      keepFirstReads({ ...own, first });
      return { kind: 'session', session: own };
    }
    if (response.status === 401 || response.status === 403) return { kind: 'ended' };
    return { kind: 'no-answer', answered: response.status };
  } catch {
    return { kind: 'no-answer' };
  }
}

async function logout(): Promise<void> {
  const response = await fetchWithTimeout('/api/auth/logout', { method: 'POST' });
  if (!response.ok) throw new NetworkError(`logout: ${response.status}`);
}

/** The session of this tab. */
export const session = new SessionStore({ refresh, logout, channel: browserSessionChannel() });

export const useSession = (): SessionState => useSyncExternalStore(session.subscribe, session.getState);

const HINT = 'pulso.signed-in';

/** Whether this browser was signed in last time; if not, there is no session to refresh. */
export const expectsSession = (): boolean =>
  // Without access to storage: wait for the refresh.
  tryStorage(() => localStorage.getItem(HINT) !== null) ?? true;

session.subscribe(() => {
  const { status } = session.getState();
  // Without access to storage only the first paint takes longer.
  if (status === 'signed-in') tryStorage(() => localStorage.setItem(HINT, '1'));
  if (status === 'signed-out') tryStorage(() => localStorage.removeItem(HINT));
});

const userOf = (state: SessionState): Me | undefined =>
  state.status === 'signed-in' ? state.user : undefined;

/** The signed-in user, or undefined for visitors. */
export const useCurrentUser = (): Me | undefined => userOf(useSession());

/** The id of the signed-in user, for code outside of React; undefined for visitors. */
export const viewerId = (): string | undefined => userOf(session.getState())?.id;
