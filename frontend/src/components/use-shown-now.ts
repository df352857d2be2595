import { useEffect, useState } from 'react';
import { renderedAt } from '../browser/page-data.js';
import { useHydrated } from './use-hydrated.js';

/** Of what the server renders: it does not know the reader's, whose scripts write the same before they go on with their own. */
const TIME_ZONE = 'UTC';

interface ShownNow {
  /** In ms; every minute another one. */
  now: number;
  /** IANA; undefined for the reader's own. */
  timeZone: string | undefined;
}

/** The clock of what is shown: the reader's, and the server's while a page that it has rendered comes to life. */
export function useShownNow(): ShownNow {
  const hydrated = useHydrated();
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000);
    return () => clearInterval(timer);
  }, []);
  return hydrated ? { now, timeZone: undefined } : { now: renderedAt(), timeZone: TIME_ZONE };
}

/** IANA; undefined for the reader's own. */
export const useShownTimeZone = (): string | undefined => (useHydrated() ? undefined : TIME_ZONE);
