import { useLayoutEffect, useRef } from 'react';
import type { RefObject } from 'react';

/** When `view` changes and removes the focused element, focuses the first control of the new view (UI-46). */
export function useFocusKept<T extends HTMLElement>(view: unknown): RefObject<T | null> {
  const holder = useRef<T>(null);
  const last = useRef(view);
  useLayoutEffect(() => {
    if (last.current === view) return;
    last.current = view;
    if (document.activeElement !== document.body) return;
    holder.current?.querySelector<HTMLElement>('button, a, input, textarea')?.focus({ preventScroll: true });
  }, [view]);
  return holder;
}
