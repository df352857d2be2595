import { useEffect, useEffectEvent, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';

/** Runs `onRevisit` when the page that is open is chosen again: by its entry in the bar, say. */
export function useRevisit(onRevisit: () => void): void {
  const { key, state } = useLocation();
  const type = useNavigationType();
  const last = useRef(key);
  const revisit = useEffectEvent(onRevisit);
  // A link within the page, or a shortcut, brings a state of its own.
  const chosen = type !== 'POP' && state === null;
  useEffect(() => {
    if (last.current === key) return;
    last.current = key;
    if (chosen) revisit();
  }, [key, chosen]);
}
