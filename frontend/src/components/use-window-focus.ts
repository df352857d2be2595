import { useEffect, useEffectEvent } from 'react';

/**
 * Runs `onFocus` when the window gets the focus, also from another window beside it, and when the browser shows the page again
 * as it was left, which is how Back leads here from another site.
 */
export function useWindowFocus(onFocus: () => void): void {
  const focused = useEffectEvent(onFocus);
  useEffect(() => {
    const onWindow = () => focused();
    const onShown = ({ persisted }: PageTransitionEvent) => {
      if (persisted) focused();
    };
    window.addEventListener('focus', onWindow);
    window.addEventListener('pageshow', onShown);
    return () => {
      window.removeEventListener('focus', onWindow);
      window.removeEventListener('pageshow', onShown);
    };
  }, []);
}
