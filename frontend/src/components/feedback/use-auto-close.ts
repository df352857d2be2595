import { useEffect, useRef, useState } from 'react';
import { AUTO_CLOSE, AUTO_CLOSE_WITH_ACTION, closeNotice } from './feedback-store.js';
import type { Notice } from './feedback-store.js';

/** Closes a notice after a while; errors, and dialogs that offer ways on, stay. A pause does not count. */
export function useAutoClose({ id, type, action, actions }: Notice, paused = false): void {
  const left = useRef(action ? AUTO_CLOSE_WITH_ACTION : AUTO_CLOSE);
  const stays = type === 'error' || actions !== undefined;
  useEffect(() => {
    if (stays || paused) return;
    const begun = Date.now();
    const timer = setTimeout(() => closeNotice(id), left.current);
    return () => {
      clearTimeout(timer);
      left.current -= Date.now() - begun;
    };
  }, [id, stays, paused]);
}

/** Whether the pointer or the focus is on an element, with the handlers that it needs. */
export function useAttended() {
  const [pointed, setPointed] = useState(false);
  const [focused, setFocused] = useState(false);
  const handlers = {
    onPointerEnter: () => setPointed(true),
    onPointerLeave: () => setPointed(false),
    onFocus: () => setFocused(true),
    onBlur: () => setFocused(false),
  };
  return { attended: pointed || focused, handlers };
}
