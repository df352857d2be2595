import type { Type } from '@nestjs/common';

/**
 * Regular work of a service: runs at the start, then every `everyMs`. A run may take as long as `everyMs`, and a minute at
 * least; then it is told to stop and given up (`PollingLoop`).
 */
export interface ServiceJob {
  /** Names the work in the log, as in "purge of sessions". */
  name: string;
  everyMs: number;
  /** Milliseconds after a commit of this process in which the next run begins at the latest. */
  afterCommitMs?: number;
  /** The stop of the service and the limit abort `stopping`: a long run should check it and end early. */
  run(get: <T>(part: Type<T>) => T, stopping: AbortSignal): Promise<void>;
}

/** A job that calls a method of one of the service's providers. */
export function job<T>(
  name: string,
  everyMs: number,
  part: Type<T>,
  work: (part: T, stopping: AbortSignal) => Promise<void>,
  { afterCommitMs }: Pick<ServiceJob, 'afterCommitMs'> = {},
): ServiceJob {
  return { name, everyMs, afterCommitMs, run: (get, stopping) => work(get(part), stopping) };
}
