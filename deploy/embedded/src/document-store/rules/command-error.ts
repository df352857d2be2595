import { Double, type Document } from 'bson';

/** MongoDB's numbers for the errors of this server; a reply contains the code's name, too, as `codeName`. */
const CODE_NAMES = {
  1: 'InternalError',
  2: 'BadValue',
  9: 'FailedToParse',
  13: 'Unauthorized',
  14: 'TypeMismatch',
  16: 'InvalidLength',
  18: 'AuthenticationFailed',
  20: 'IllegalOperation',
  26: 'NamespaceNotFound',
  28: 'PathNotViable',
  40: 'ConflictingUpdateOperators',
  43: 'CursorNotFound',
  48: 'NamespaceExists',
  50: 'MaxTimeMSExpired',
  52: 'DollarPrefixedFieldName',
  54: 'NotSingleValueField',
  56: 'EmptyFieldName',
  59: 'CommandNotFound',
  66: 'ImmutableField',
  67: 'CannotCreateIndex',
  72: 'InvalidOptions',
  73: 'InvalidNamespace',
  85: 'IndexOptionsConflict',
  86: 'IndexKeySpecsConflict',
  111: 'NotExactValueField',
  115: 'CommandNotSupported',
  168: 'InvalidPipelineOperator',
  171: 'CannotIndexParallelArrays',
  175: 'QueryPlanKilled',
  197: 'InvalidIndexSpecificationOption',
  291: 'NoQueryExecutionPlans',
  292: 'QueryExceededMemoryLimitNoDiskUseAllowed',
  352: 'UnsupportedOpQueryCommand',
  10334: 'BSONObjectTooLarge',
  11000: 'DuplicateKey',
  14031: 'OutOfDiskSpace',
  17280: 'KeyTooLong',
} as const;

/** Codes without a name are called `Location40415` and the like. */
export type ErrorCode = keyof typeof CODE_NAMES | 15952 | 31254 | 40324 | 40414 | 40415;

/** An error in MongoDB's terms; `details` are extra reply fields such as `keyPattern` of a duplicate key. */
export class CommandError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: Document = {},
  ) {
    super(message);
  }

  toReply(): Document {
    const { code, message, details } = this;
    const codeName = code in CODE_NAMES ? CODE_NAMES[code as keyof typeof CODE_NAMES] : `Location${code}`;
    return { ok: new Double(0), errmsg: message, code, codeName, ...details };
  }
}

export function badValue(message: string): CommandError {
  return new CommandError(2, message);
}

export function failedToParse(message: string): CommandError {
  return new CommandError(9, message);
}

export function typeMismatch(message: string): CommandError {
  return new CommandError(14, message);
}
