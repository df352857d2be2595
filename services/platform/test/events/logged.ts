import { type Logger, pino } from 'pino';

export interface LoggedLine {
  msg: string;
  [field: string]: unknown;
}

/** A log that keeps its lines. */
export function aLog(): { logger: Logger; lines: LoggedLine[] } {
  const lines: LoggedLine[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line) as LoggedLine);
  return { logger: pino({ level: 'info' }, { write }), lines };
}

/** What new consumers have said that they do not answer. */
export const skippedIn = (lines: readonly LoggedLine[]) =>
  lines
    .filter(
      ({ msg }) => msg === 'a new consumer starts here: it answers no event that was published before now',
    )
    .map(({ group, topic, skipped }) => ({ group, topic, skipped }));
