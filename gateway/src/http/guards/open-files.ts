import { readFileSync } from 'node:fs';
import type { Logger } from '@pulso/platform/logging/logger';

/** Of Linux: `Max open files  soft  hard  files`. Node has raised the soft limit to the hard one. */
const OPEN_FILES = /^Max open files\s+(\d+)/m;

/** How many files the process may have open; undefined where its system does not tell, or sets no limit. */
function openFiles(): number | undefined {
  try {
    const found = OPEN_FILES.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return found === undefined ? undefined : Number(found);
  } catch {
    return undefined;
  }
}

/** As many connections as wanted, but no more than half of the file descriptors: stores and files need some, too (LIMIT-12). */
export function connectionsInAll(wanted: number, logger: Pick<Logger, 'warn'>, files = openFiles()): number {
  const most = files === undefined ? wanted : Math.floor(files / 2);
  if (wanted <= most) return wanted;
  logger.warn(
    { wanted, most, files },
    'the limit of open files allows fewer connections than MAX_CONNECTIONS',
  );
  return most;
}
