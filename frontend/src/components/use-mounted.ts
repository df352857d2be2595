import { useEffect, useRef } from 'react';
import type { RefObject } from 'react';

/** Whether the component is still on the page: for what comes after an answer, which may take longer than the user stays. */
export function useMounted(): RefObject<boolean> {
  const mounted = useRef(false);
  useEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
    };
  }, []);
  return mounted;
}
