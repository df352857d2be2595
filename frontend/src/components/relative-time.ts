import type { Messages } from '../i18n/messages.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * "just now", "5m ago", "3h ago", "6d ago", then the date (UI-39). A time slightly ahead of our clock is just now.
 * @param time ISO 8601; @param now milliseconds
 */
export function relativeTime(time: string, now: number, messages: Messages): string {
  const age = now - Date.parse(time);
  if (age < MINUTE) return messages.time.justNow;
  if (age < HOUR) return messages.time.minutes(Math.floor(age / MINUTE));
  if (age < DAY) return messages.time.hours(Math.floor(age / HOUR));
  if (age < 7 * DAY) return messages.time.days(Math.floor(age / DAY));
  return longDate(time, messages.locale);
}

export const longDate = (time: string, locale: string): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(new Date(time));

/** "March 2026", for the Joined line. */
export const monthAndYear = (time: string, locale: string): string =>
  new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric' }).format(new Date(time));
