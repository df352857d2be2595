import { useSyncExternalStore } from 'react';

const KEY = 'pulso.shortcuts';
const listeners = new Set<() => void>();

function stored(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'off';
  } catch {
    // Storage closed to us: the default.
    return true;
  }
}

let enabled = stored();

export const shortcutsEnabled = (): boolean => enabled;

/** Remembered on this device; where storage is closed, for this visit only. */
export function setShortcutsEnabled(next: boolean): void {
  enabled = next;
  try {
    localStorage.setItem(KEY, next ? 'on' : 'off');
  } catch {
    // Storage closed to us: for this visit then.
  }
  for (const listener of listeners) listener();
}

export const useShortcutsEnabled = (): boolean =>
  useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, shortcutsEnabled);
