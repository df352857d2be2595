import { useEffect, useLayoutEffect, useRef } from 'react';
import type { RefObject } from 'react';
import { toastsAbove } from './feedback/raise-toasts.js';
import { focusAtEnd } from './focus-at-end.js';

/** What gets the focus on close where the element that had it may be gone, as a menu item is. */
export type FocusTarget = () => HTMLElement | null | undefined;

/**
 * Opens a <dialog> as modal while it is mounted: it takes the focus, an element of it with `data-autofocus` first, and returns
 * it, notices stay above it, and Escape asks its owner to close it (UI-36).
 */
export function useModal(
  element: RefObject<HTMLDialogElement | null>,
  onClose: () => void,
  returnFocusTo?: FocusTarget,
): void {
  const close = useRef(onClose);
  const returnTo = useRef(returnFocusTo);

  useEffect(() => {
    close.current = onClose;
    returnTo.current = returnFocusTo;
  });

  useLayoutEffect(() => {
    const dialog = element.current;
    if (!dialog) return;
    const previous = document.activeElement;
    dialog.showModal();
    const leaveToasts = toastsAbove(dialog);
    focusAtEnd(dialog.querySelector<HTMLElement>('[data-autofocus]'));
    // Escape asks the owner, who closes by unmounting. On a second Escape browsers close in any case.
    const onCancel = (event: Event) => {
      event.preventDefault();
      close.current();
    };
    const onNativeClose = () => close.current();
    dialog.addEventListener('cancel', onCancel);
    dialog.addEventListener('close', onNativeClose);
    return () => {
      dialog.removeEventListener('cancel', onCancel);
      dialog.removeEventListener('close', onNativeClose);
      leaveToasts();
      dialog.close();
      const target = returnTo.current?.() ?? previous;
      const usable = target instanceof HTMLElement && target !== document.body && target.isConnected;
      (usable ? target : document.getElementById('main'))?.focus({ preventScroll: true });
    };
  }, [element]);
}
