import { useSyncExternalStore } from 'react';

const STORAGE_KEY = 'pulso.shortcuts';
const listeners = new Set<() => void>();

function stored(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) !== 'off';
  } catch {
    // No access to storage: use the default.
    return true;
  }
}

let enabled = stored();

export const shortcutsEnabled = (): boolean => enabled;

/** Stored on this device; without access to storage it lasts for this visit only. */
export function setShortcutsEnabled(next: boolean): void {
  enabled = next;
  try {
    localStorage.setItem(STORAGE_KEY, next ? 'on' : 'off');
  } catch {
    // No access to storage: the setting lasts for this visit.
  }
  for (const listener of listeners) listener();
}

export const useShortcutsEnabled = (): boolean =>
  useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, shortcutsEnabled);
