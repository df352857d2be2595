import { useLayoutEffect, useRef } from 'react';
import type { RefObject } from 'react';

/** An entry of a list that leaves the page with the focus in it hands it to the entry beside it, or to what holds the list. */
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
