import { isNativeError } from 'node:util/types';

const NETWORK_CODES = /^(?:ECONN|EPIPE$|ETIMEDOUT$|EHOSTUNREACH$|ENETUNREACH$|EAI_AGAIN$|ENOTFOUND$)/;
/**
 * Errors after which a retry may succeed: of connections, resources, shutdown, serialization and locks, of a database
 * that does not accept connections, and of a transaction that the server has ended because nothing came for it.
 */
const SQL_STATES = /^(?:08...|53...|57P0[123]|58...|40001|40P01|25006|25P03|55000|55P03)$/;
/** PostgreSQL's query_canceled, MongoDB's MaxTimeMSExpired. */
const STATEMENT_TIMEOUTS: readonly unknown[] = ['57014', 50];
/** The errors of the PostgreSQL driver itself have no code, nor has TypeORM's for a connection lost between two queries. */
const DRIVER_MESSAGES =
  /^(?:Connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|Query runner already released)/;
const MONGO_NAMES =
  /^Mongo(?:ose)?(?:Network|ServerSelection|NotConnected|ClientClosed|PoolCleared|PoolClosed|Topology|WaitQueue)/;
/**
 * MongoDB's errors after which a retry may succeed. The driver retries some operations once after most of them, and
 * other operations never. Checked only on MongoDB's errors, because gRPC uses the same numbers. MaxTimeMSExpired (50) is
 * in STATEMENT_TIMEOUTS: it is our own limit, so the statement may be the cause. ExceededTimeLimit (262) is the server's
 * limit for its internal work.
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
/** Labels that servers and the driver put on such errors, whatever the code. */
const MONGO_LABELS = ['RetryableWriteError', 'RetryableError', 'ResetPool', 'TransientTransactionError'];

/** Whether a store cancelled a statement that took too long; the cause is the store's load or the statement itself. */
export function isStatementTimeout(error: unknown): boolean {
  return isNativeError(error) && STATEMENT_TIMEOUTS.includes((error as { code?: unknown }).code);
}

/** Whether an error means that a store cannot be reached or cannot work right now. */
export function isStoreTrouble(error: unknown): boolean {
  if (!isNativeError(error)) return false;
  if (isStatementTimeout(error)) return true;
  // By its name, because most services have no objects.
  if (error.name === 'ObjectStoreError') return true;
  const { code } = error as { code?: unknown };
  if (typeof code === 'string' && (NETWORK_CODES.test(code) || SQL_STATES.test(code))) return true;
  return isMongoTrouble(error) || (code === undefined && DRIVER_MESSAGES.test(error.message));
}

/** The shape of the driver's errors. The driver is not imported: most services do not use MongoDB. */
interface MongoError extends Error {
  code?: unknown;
  errorLabels?: readonly string[];
  /** Set on a bulk write's error, whose own `code` is that of its first failed write. */
  writeErrors?: { code?: unknown } | readonly { code?: unknown }[];
}

/** The one error of the driver whose name does not say whose it is: the server did not answer the driver's heartbeat. */
const HEARTBEAT_MISSED = 'PoolClearedOnNetworkError';

function isMongoTrouble(error: MongoError): boolean {
  if (error.name === HEARTBEAT_MISSED) return true;
  if (!error.name.startsWith('Mongo')) return false;
  const { code, errorLabels = [], writeErrors = [] } = error;
  const codes = [code, ...[writeErrors].flat().map((write) => write.code)];
  return (
    MONGO_NAMES.test(error.name) ||
    codes.some((each) => MONGO_CODES.has(each as number)) ||
    MONGO_LABELS.some((label) => errorLabels.includes(label))
  );
}
