import type { Logger } from 'pino';

export interface SkippedHistory {
  group: string;
  topic: string;
  /** How many events of the topic are retained, and came before the group's start. */
  skipped: number;
}

/** Says once, at the first start of a reaction, what it leaves unanswered; nothing where there is no history. */
export function saySkipped(logger: Logger, { group, topic, skipped }: SkippedHistory): void {
  if (skipped === 0) return;
  logger.info(
    { group, topic, skipped },
    'a new consumer starts here: it answers no event that was published before now',
  );
}
