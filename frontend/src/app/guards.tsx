import { Navigate, Outlet } from 'react-router-dom';
import { ApiError, NetworkError } from '../api/api-error.js';
import { LoadError, PageLoading } from '../components/states.js';
import { Column } from '../pages/column.js';
import { expectsSession, session, useSession } from '../session/session.js';

/** Why the session could not be restored. Any failure of the server is shown as 503. */
function refreshError(answered: number | undefined): Error {
  if (answered === 429) return new ApiError(429, 'too-many-requests', undefined);
  if (answered === undefined && !navigator.onLine) return new NetworkError('no answer');
  return new ApiError(503, 'unavailable', undefined);
}

/** Login required: signed-out users go to /login; after Logout, to / (UI-3). */
export function SignedInOnly() {
  const state = useSession();
  switch (state.status) {
    case 'booting':
      return <PageLoading />;
    case 'unreachable':
      return (
        <Column>
          <LoadError error={refreshError(state.answered)} onRetry={session.retryNow} />
        </Column>
      );
    case 'signed-out':
      return <Navigate to={state.reason === 'logout' ? '/' : '/login'} replace />;
    case 'signed-in':
      return <Outlet />;
  }
}

/** Guests only: a signed-in user is redirected to /feed. */
export function GuestsOnly() {
  const state = useSession();
  if (state.status === 'signed-in') return <Navigate to="/feed" replace />;
  if (state.status === 'booting' && expectsSession()) return <PageLoading />;
  return <Outlet />;
}
