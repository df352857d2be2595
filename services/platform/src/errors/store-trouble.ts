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
  /^Mongo(?:ose)?(?:Network|ServerSelection|NotConnected|ClientClosed|PoolCleared|PoolClosed|Topology|WaitQueue)/;
/**
 * MongoDB's answers for "not now". The driver retries some operations once after most of them, and others never. Only
 * looked at in MongoDB's errors, as gRPC uses the same numbers. MaxTimeMSExpired (50) is in STATEMENT_TIMEOUTS: our own
 * limit, so perhaps the statement's fault. ExceededTimeLimit (262) is the server's limit for work of its own.
 */
const MONGO_CODES = new Map([
  [6, 'HostUnreachable'],
  [7, 'HostNotFound'],
  [24, 'LockTimeout'],
  [43, 'CursorNotFound'],
  [64, 'WriteConcernTimeout'],
  [89, 'NetworkTimeout'],
  [91, 'ShutdownInProgress'],
  [112, 'WriteConflict'],
  [133, 'FailedToSatisfyReadPreference'],
  [134, 'ReadConcernMajorityNotAvailableYet'],
  [189, 'PrimarySteppedDown'],
  [202, 'NetworkInterfaceExceededTimeLimit'],
  [216, 'ElectionInProgress'],
  [262, 'ExceededTimeLimit'],
  [9001, 'SocketException'],
  [10107, 'NotWritablePrimary'],
  [11600, 'InterruptedAtShutdown'],
  [11602, 'InterruptedDueToReplStateChange'],
  [13435, 'NotPrimaryNoSecondaryOk'],
  [13436, 'NotPrimaryOrSecondary'],
  [14031, 'OutOfDiskSpace'],
]);
/** Labels that servers and the driver put on such errors, with any code. */
const MONGO_LABELS = ['RetryableWriteError', 'RetryableError', 'ResetPool', 'TransientTransactionError'];

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
  return isMongoTrouble(error) || (code === undefined && DRIVER_MESSAGES.test(error.message));
}

/** As the driver's errors look, without importing it: most services have no MongoDB. */
interface MongoError extends Error {
  code?: unknown;
  errorLabels?: readonly string[];
  /** Of a bulk write, whose own code is that of the first. */
  writeErrors?: { code?: unknown } | readonly { code?: unknown }[];
}

function isMongoTrouble(error: MongoError): boolean {
  if (!error.name.startsWith('Mongo')) return false;
  const { code, errorLabels = [], writeErrors = [] } = error;
  const codes = [code, ...[writeErrors].flat().map((write) => write.code)];
  return (
    MONGO_NAMES.test(error.name) ||
    codes.some((each) => MONGO_CODES.has(each as number)) ||
    MONGO_LABELS.some((label) => errorLabels.includes(label))
  );
}
