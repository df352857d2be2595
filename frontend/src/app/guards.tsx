import { useEffect } from 'react';
import { Navigate, Outlet, useLocation, useNavigate } from 'react-router-dom';
import { ApiError, NetworkError } from '../server/http/api-error.js';
import { LoadError } from '../components/states.js';
import { Column } from '../pages/parts/column.js';
import { expectsSession, session, useSession } from '../server/session/session.js';
import {
  RETURNING,
  forgetWayBack,
  isReturning,
  rememberWayBack,
  wayBack,
} from '../server/session/way-back.js';
import { PageSkeleton } from './page-skeleton.js';

/** Why the session could not be restored. Any failure of the server is shown as 503. */
function refreshError(answered: number | undefined): Error {
  if (answered === 429) return new ApiError(429, 'too-many-requests', undefined);
  if (answered === undefined && !navigator.onLine) return new NetworkError('no answer');
  return new ApiError(503, 'unavailable', undefined);
}

/** Goes to the login, which leads back here (UI-4). */
function ToLogin() {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    rememberWayBack(pathname + search);
    void navigate('/login', { replace: true, state: RETURNING });
  }, [pathname, search, navigate]);
  return null;
}

/** Login required (UI-1, UI-2): signed-out users go to /login; after Logout, to / (UI-3). */
export function SignedInOnly() {
  const state = useSession();
  switch (state.status) {
    case 'booting':
      return <PageSkeleton />;
    case 'unreachable':
      return (
        <Column>
          <LoadError error={refreshError(state.answered)} onRetry={session.retryNow} />
        </Column>
      );
    case 'signed-out':
      return state.reason === 'logout' ? <Navigate to="/" replace /> : <ToLogin />;
    case 'signed-in':
      return <Outlet />;
  }
}

/**
 * Guests only: a signed-in user is redirected to /feed, after a login that a page or a press asked for to where they were.
 */
export function GuestsOnly() {
  const state = useSession();
  const returning = isReturning(useLocation().state);
  const signedOut = state.status === 'signed-out';
  useEffect(() => {
    if (signedOut && !returning) forgetWayBack();
  }, [signedOut, returning]);
  if (state.status === 'signed-in')
    return <Navigate to={(returning ? wayBack() : undefined) ?? '/feed'} replace />;
  if (state.status === 'booting' && expectsSession()) return <PageSkeleton />;
  return <Outlet />;
}
