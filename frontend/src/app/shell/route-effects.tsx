import { useEffect, useLayoutEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';
import { useDialogEntry } from '../../components/back-closes.js';
import { useArrivingAt } from '../../components/shortcuts/destinations.js';

/** The scroll position of each visited page, by history key. */
const positions = new Map<string, number>();

/** A new page starts at its top and gets the focus; going back restores the scroll position. */
export function RouteEffects() {
  const { key, pathname } = useLocation();
  const type = useNavigationType();
  const arriving = useArrivingAt() !== undefined;
  const behindDialog = useDialogEntry();
  const lastPath = useRef(pathname);

  useEffect(() => {
    history.scrollRestoration = 'manual';
  }, []);

  useLayoutEffect(() => {
    if (behindDialog) return;
    window.scrollTo(0, type === 'POP' ? (positions.get(key) ?? 0) : 0);
    const remember = () => positions.set(key, window.scrollY);
    window.addEventListener('scroll', remember, { passive: true });
    return () => window.removeEventListener('scroll', remember);
  }, [key, type, behindDialog]);

  useEffect(() => {
    if (lastPath.current === pathname) return;
    lastPath.current = pathname;
    if (arriving) return;
    document.getElementById('main')?.focus({ preventScroll: true });
  }, [pathname, arriving]);

  return null;
}
