import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/**
 * False on the server, and while a page that it has rendered comes to life: then only what the server knows may be shown. True
 * from the first render on of whatever is made here.
 */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
