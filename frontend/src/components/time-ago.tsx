import { useEffect, useState } from 'react';
import { useTexts } from '../i18n/texts.js';
import { dateAndTime, relativeTime } from './relative-time.js';

/** A relative time that is updated every minute. */
export function TimeAgo({ time }: { time: string }) {
  const texts = useTexts();
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000);
    return () => clearInterval(timer);
  }, []);
  // A post made after the last tick is in the future of `now`; relativeTime then says "just now".
  return (
    <time dateTime={time} title={dateAndTime(time, texts.locale)}>
      {relativeTime(time, now, texts)}
    </time>
  );
}
