import type { StorePart } from '../postgres/postgres-store.js';
import { job } from '../service/service-job.js';
import { CreateForeignCalls1766100000000 } from './create-foreign-calls.migration.js';
import { FOREIGN_CALL_COMMANDS } from './foreign-call-commands.js';
import { ForeignCalls } from './foreign-calls.js';

const HOUR_MS = 60 * 60_000;

/** For `parts` of a service that injects `ForeignCalls`: its table, its recovery, its purge and its commands. */
export const foreignCalls: StorePart = {
  migrations: [CreateForeignCalls1766100000000],
  provider: ForeignCalls,
  jobs: [job('purge of foreign calls', HOUR_MS, ForeignCalls, (calls, stopping) => calls.purge(stopping))],
  commands: FOREIGN_CALL_COMMANDS,
};
