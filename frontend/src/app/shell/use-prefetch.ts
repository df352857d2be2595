import { useEffect } from 'react';
import { loadPage } from '../begin-page.js';

/** Loads the code of the page behind a link as soon as the link is pointed at, touched or focused (UI-59). */
export function usePrefetch(): void {
  useEffect(() => {
    const onPointed = ({ target }: Event) => {
      const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null;
      if (link && link.origin === location.origin && link.target === '') loadPage(link.pathname);
    };
    const events = ['pointerover', 'touchstart', 'focusin'] as const;
    for (const event of events) document.addEventListener(event, onPointed, { passive: true });
    return () => {
      for (const event of events) document.removeEventListener(event, onPointed);
    };
  }, []);
}
