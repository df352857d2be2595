import type { Type } from '@nestjs/common';

/** Regular work of a service: done at the start, then every `everyMs`, never twice at a time. */
export interface ServiceJob {
  /** For the log: what the work does, as in "purge of sessions". */
  name: string;
  everyMs: number;
  run(get: <T>(part: Type<T>) => T): Promise<void>;
}

/** A job that calls one method of one of the service's parts. */
export function job<T>(
  name: string,
  everyMs: number,
  part: Type<T>,
  work: (part: T) => Promise<void>,
): ServiceJob {
  return { name, everyMs, run: (get) => work(get(part)) };
}
