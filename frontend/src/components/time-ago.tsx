import { useEffect, useState } from 'react';
import { useMessages } from '../i18n/messages.js';
import { relativeTime } from './relative-time.js';

/** A time that stays true while the page is open. */
export function TimeAgo({ time }: { time: string }) {
  const messages = useMessages();
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000);
    return () => clearInterval(timer);
  }, []);
  // A post made after the last tick would lie in the future of `now`; relativeTime says "just now" then.
  return (
    <time dateTime={time} title={new Date(time).toLocaleString(messages.locale)}>
      {relativeTime(time, now, messages)}
    </time>
  );
}
