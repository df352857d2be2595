import { useEffect, useRef } from 'react';
import { shortcutsEnabled } from './shortcut-setting.js';
import { typedKey } from './typed-key.js';

/** In a field, or elsewhere in a form: who is at its button may well believe to be in its field. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.matches('input:not([type=checkbox], [type=radio]), textarea, select') ||
    target.closest('form') !== null);

/** Handles single keys. Ignored while typing, with modifiers, in dialogs (the bell's list is one), in menus, and when shortcuts are off. */
export function useShortcuts(handlers: Record<string, () => void>): void {
  const current = useRef(handlers);
  useEffect(() => {
    current.current = handlers;
  });

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!shortcutsEnabled() || event.defaultPrevented) return;
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (document.querySelector('dialog[open], [role=dialog], [role=menu], [data-opening]')) return;
      const handler = current.current[typedKey(event)];
      if (!handler) return;
      event.preventDefault();
      handler();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}
