import { useEffect, useState } from 'react';
import { isOffline } from '../../server/http/api-error.js';

/** The failure that an open dialog tells in itself; that of a missing network goes when it is back (UI-53). */
export function useFailureNote() {
  const [failure, setFailure] = useState<{ message: string; offline: boolean }>();
  const offline = failure?.offline === true;
  useEffect(() => {
    if (!offline) return;
    const onOnline = () => setFailure(undefined);
    window.addEventListener('online', onOnline);
    return () => window.removeEventListener('online', onOnline);
  }, [offline]);
  return {
    note: failure?.message,
    tell: (error: unknown, message: string | undefined) =>
      setFailure(message === undefined ? undefined : { message, offline: isOffline(error) }),
    clear: () => setFailure(undefined),
  };
}
