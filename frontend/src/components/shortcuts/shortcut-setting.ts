import { useSyncExternalStore } from 'react';
import { tryStorage } from '../../browser/try-storage.js';

const STORAGE_KEY = 'pulso.shortcuts';
const listeners = new Set<() => void>();

/** On, also without access to storage, unless it was switched off. */
let enabled = tryStorage(() => localStorage.getItem(STORAGE_KEY)) !== 'off';

export const shortcutsEnabled = (): boolean => enabled;

/** Stored on this device; without access to storage it lasts for this visit only. */
export function setShortcutsEnabled(next: boolean): void {
  enabled = next;
  tryStorage(() => localStorage.setItem(STORAGE_KEY, next ? 'on' : 'off'));
  for (const listener of listeners) listener();
}

export const useShortcutsEnabled = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    shortcutsEnabled,
    () => true,
  );
