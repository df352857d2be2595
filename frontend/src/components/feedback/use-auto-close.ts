import { useEffect } from 'react';
import { AUTO_CLOSE, closeNotice } from './feedback-store.js';
import type { Notice } from './feedback-store.js';

/** Closes a notice after a while; errors stay. */
export function useAutoClose({ id, type }: Notice): void {
  useEffect(() => {
    if (type === 'error') return;
    const timer = setTimeout(() => closeNotice(id), AUTO_CLOSE);
    return () => clearTimeout(timer);
  }, [id, type]);
}
