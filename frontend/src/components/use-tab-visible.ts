import { useSyncExternalStore } from 'react';

function subscribe(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}

/** Whether the user can see this tab. */
export const useTabVisible = (): boolean =>
  useSyncExternalStore(subscribe, () => document.visibilityState === 'visible');
