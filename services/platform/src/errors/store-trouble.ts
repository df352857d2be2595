import { isNativeError } from 'node:util/types';

const NETWORK_CODES = /^(?:ECONN|EPIPE$|ETIMEDOUT$|EHOSTUNREACH$|ENETUNREACH$|EAI_AGAIN$|ENOTFOUND$)/;
/** Connections, resources, shutdown, time-outs, lost races: "not now" rather than "never". */
const SQL_STATES = /^(?:08...|53...|57P..|57014|58...|40001|40P01|25006|55000)$/;
/** PostgreSQL's driver gives its own errors no code. */
const DRIVER_MESSAGES =
  /^(?:Connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error)/;
const MONGO_NAMES =
  /^Mongo(?:ose)?(?:Network|ServerSelection|NotConnected|PoolCleared|PoolClosed|Topology|WaitQueue)/;

/** Whether an error means that a store cannot be reached or cannot work right now. */
export function isStoreTrouble(error: unknown): boolean {
  if (!isNativeError(error)) return false;
  const { code } = error as { code?: unknown };
  if (typeof code === 'string' && (NETWORK_CODES.test(code) || SQL_STATES.test(code))) return true;
  return MONGO_NAMES.test(error.name) || (code === undefined && DRIVER_MESSAGES.test(error.message));
}
