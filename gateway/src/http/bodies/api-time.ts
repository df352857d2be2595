const DAY_MS = 86_400_000;
const MAX_DAYS = 4_096;

const two = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, '0'));
const three = Array.from({ length: 1000 }, (_, value) => String(value).padStart(3, '0'));
const days = new Map<number, string>();

/**
 * Milliseconds since the epoch as the API's time (HTTP-1): what Date.toISOString gives, at a tenth of its cost. A page of
 * posts has forty of them.
 */
export function apiTime(milliseconds: number): string {
  const day = Math.floor(milliseconds / DAY_MS);
  const rest = milliseconds - day * DAY_MS;
  const hours = two[Math.floor(rest / 3_600_000)];
  const minutes = two[Math.floor(rest / 60_000) % 60];
  const seconds = two[Math.floor(rest / 1000) % 60];
  return `${datePart(day)}${hours}:${minutes}:${seconds}.${three[rest % 1000]}Z`;
}

/** The same of what may be absent. */
export const apiTimeOrNull = (milliseconds: number | undefined): string | null =>
  milliseconds === undefined ? null : apiTime(milliseconds);

function datePart(day: number): string {
  let text = days.get(day);
  if (text === undefined) {
    text = new Date(day * DAY_MS).toISOString().slice(0, -'00:00:00.000Z'.length);
    if (days.size >= MAX_DAYS) days.clear();
    days.set(day, text);
  }
  return text;
}
