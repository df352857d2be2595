import { useTexts } from '../i18n/texts.js';
import { useShownNow } from './use-shown-now.js';
import { dateAndTime, relativeTime } from './relative-time.js';

/** A relative time that is updated every minute. */
export function TimeAgo({ time }: { time: string }) {
  const texts = useTexts();
  const { now, timeZone } = useShownNow();
  // A post made after the last tick is in the future of `now`; relativeTime then says "just now".
  return (
    <time dateTime={time} title={dateAndTime(time, texts.locale, timeZone)}>
      {relativeTime(time, now, texts, timeZone)}
    </time>
  );
}
