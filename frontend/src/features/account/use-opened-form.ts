import { useLayoutEffect, useRef, useState } from 'react';

/** A form that a button opens in its place: its first field gets the focus, and the button when it is closed (UI-46). */
export function useOpenedForm() {
  const [isOpen, setOpen] = useState(false);
  const wasOpen = useRef(isOpen);
  const form = useRef<HTMLFormElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (wasOpen.current === isOpen) return;
    wasOpen.current = isOpen;
    (isOpen ? form.current?.querySelector<HTMLElement>('input:not([hidden])') : button.current)?.focus();
  }, [isOpen]);
  return { isOpen, open: () => setOpen(true), close: () => setOpen(false), form, button };
}
