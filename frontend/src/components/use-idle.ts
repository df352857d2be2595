import { useEffect, useState } from 'react';

/** In ms: by then most pages have what they show. */
const FIRST_PAGE_MS = 2000;
/** In ms: a page that is never idle. */
const LATEST_MS = 10_000;

/** Whether the first page is there and the browser has had nothing to do: for what may come late. */
export function useIdle(): boolean {
  const [idle, setIdle] = useState(false);
  useEffect(() => {
    let callback: number | undefined;
    const wait = () => {
      // Safari has no such call.
      if (!('requestIdleCallback' in window)) return setIdle(true);
      callback = requestIdleCallback(() => setIdle(true), { timeout: LATEST_MS });
    };
    const timer = setTimeout(wait, FIRST_PAGE_MS);
    return () => {
      clearTimeout(timer);
      if (callback !== undefined) cancelIdleCallback(callback);
    };
  }, []);
  return idle;
}
