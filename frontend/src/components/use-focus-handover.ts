import { useLayoutEffect, useRef } from 'react';
import type { RefObject } from 'react';

/** When a list entry that has the focus is removed, its neighbour gets the focus, otherwise the closest `holder` (UI-46). */
export function useFocusHandover<T extends HTMLElement>(holder: string): RefObject<T | null> {
  const entry = useRef<T>(null);
  useLayoutEffect(() => {
    const element = entry.current;
    return () => {
      if (!element?.contains(document.activeElement)) return;
      const beside = element.nextElementSibling ?? element.previousElementSibling;
      const heir = beside instanceof HTMLElement ? beside : element.closest<HTMLElement>(holder);
      heir?.focus({ preventScroll: true });
    };
  }, [holder]);
  return entry;
}
