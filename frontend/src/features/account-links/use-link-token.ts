import { useEffect } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';

/**
 * The token of the link that led here; empty without one. It leaves the address at once, so that nobody reads it there and no
 * request tells it as referrer; the entry of the history keeps it for a reload (UI-74).
 */
export function useLinkToken(): string {
  const [query] = useSearchParams();
  const { pathname, state } = useLocation();
  const navigate = useNavigate();
  const given = query.get('token');
  useEffect(() => {
    if (given !== null) void navigate(pathname, { replace: true, state: { token: given } });
  }, [given, pathname, navigate]);
  return given ?? (state as { token?: string } | null)?.token ?? '';
}
