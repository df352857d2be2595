import { isNativeError } from 'node:util/types';

const NETWORK_CODES = /^(?:ECONN|EPIPE$|ETIMEDOUT$|EHOSTUNREACH$|ENETUNREACH$|EAI_AGAIN$|ENOTFOUND$)/;
/** Connections, resources, shutdown, lost races and locks, a database that takes no connections: "not now" rather than "never". */
const SQL_STATES = /^(?:08...|53...|57P0[123]|58...|40001|40P01|25006|55000|55P03)$/;
/** PostgreSQL's query_canceled, MongoDB's MaxTimeMSExpired. */
const STATEMENT_TIMEOUTS: readonly unknown[] = ['57014', 50];
/** PostgreSQL's driver gives its own errors no code. */
const DRIVER_MESSAGES =
  /^(?:Connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error)/;
const MONGO_NAMES =
  /^Mongo(?:ose)?(?:Network|ServerSelection|NotConnected|PoolCleared|PoolClosed|Topology|WaitQueue)/;

/** Whether a store gave up on a statement because it took too long: the store's load, or the statement's doing. */
export function isStatementTimeout(error: unknown): boolean {
  return isNativeError(error) && STATEMENT_TIMEOUTS.includes((error as { code?: unknown }).code);
}

/** Whether an error means that a store cannot be reached or cannot work right now. */
export function isStoreTrouble(error: unknown): boolean {
  if (!isNativeError(error)) return false;
  if (isStatementTimeout(error)) return true;
  const { code } = error as { code?: unknown };
  if (typeof code === 'string' && (NETWORK_CODES.test(code) || SQL_STATES.test(code))) return true;
  return MONGO_NAMES.test(error.name) || (code === undefined && DRIVER_MESSAGES.test(error.message));
}
