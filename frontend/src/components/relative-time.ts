import type { Texts } from '../i18n/texts.js';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Each is made once: a thread of messages has thousands of dates. */
function formatter(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const name = `${locale} ${JSON.stringify(options)}`;
  const made = formatters.get(name) ?? new Intl.DateTimeFormat(locale, options);
  formatters.set(name, made);
  return made;
}

/**
 * "just now", "5m ago", "3h ago", "6d ago", then the date (UI-39). A time slightly ahead of our clock is just now.
 * @param time ISO 8601; @param now milliseconds; @param timeZone IANA, by default the reader's
 */
export function relativeTime(time: string, now: number, texts: Texts, timeZone?: string): string {
  const age = now - Date.parse(time);
  if (age < MINUTE) return texts.time.justNow;
  if (age < HOUR) return texts.time.minutes(Math.floor(age / MINUTE));
  if (age < DAY) return texts.time.hours(Math.floor(age / HOUR));
  if (age < 7 * DAY) return texts.time.days(Math.floor(age / DAY));
  return dateAt(time, now, texts.locale, timeZone);
}

/** "Nov 14", of another year than that of `now` "Nov 14, 2025". */
export function dateAt(time: string, now: number, locale: string, timeZone?: string): string {
  const date = new Date(time);
  const year = formatter(locale, { year: 'numeric', timeZone });
  return year.format(date) === year.format(now)
    ? formatter(locale, { month: 'short', day: 'numeric', timeZone }).format(date)
    : formatter(locale, { dateStyle: 'medium', timeZone }).format(date);
}

/** "Nov 24, 2026". */
export const longDate = (time: string, locale: string): string =>
  formatter(locale, { dateStyle: 'medium' }).format(new Date(time));

/** "Sun, Nov 22, 2026, 07:43", in the order of the language. */
export const dateAndTime = (time: string, locale: string, timeZone?: string): string =>
  formatter(locale, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
  }).format(new Date(time));

/** "November 24, 2026". */
export const fullDate = (time: string, locale: string): string =>
  formatter(locale, { dateStyle: 'long' }).format(new Date(time));

/** "March 2026", for the Joined line. */
export const monthAndYear = (time: string, locale: string, timeZone?: string): string =>
  formatter(locale, { month: 'long', year: 'numeric', timeZone }).format(new Date(time));
