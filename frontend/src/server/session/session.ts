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

const VISITOR: SessionState = { status: 'signed-out', reason: 'none' };

/** What the server has rendered comes to life as a visitor's page, whoever signs in meanwhile. */
export const useSession = (): SessionState =>
  useSyncExternalStore(session.subscribe, session.getState, () => VISITOR);

/** The gateway sets it beside the cookie of the session, and renders no page for who has it. */
const HINT = 'pulso_member';

/** Whether this browser is signed in, as far as its cookies tell; if not, there is no session to refresh. */
export const expectsSession = (): boolean =>
  // Without access to cookies: wait for the refresh.
  tryStorage(() => document.cookie.split('; ').includes(`${HINT}=1`)) ?? true;

session.subscribe(() => {
  // The gateway would go on leaving a visitor's page to the scripts.
  if (session.getState().status === 'signed-out')
    tryStorage(() => (document.cookie = `${HINT}=; Path=/; Max-Age=0`));
});

const userOf = (state: SessionState): Me | undefined =>
  state.status === 'signed-in' ? state.user : undefined;

/** The signed-in user, or undefined for visitors. */
export const useCurrentUser = (): Me | undefined => userOf(useSession());

/** The id of the signed-in user, for code outside of React; undefined for visitors. */
export const viewerId = (): string | undefined => userOf(session.getState())?.id;
