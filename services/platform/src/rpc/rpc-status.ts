import { type ErrorKind, GENERAL_CODE, isErrorCode, kindOf } from '@pulso/contracts/error-codes';
import type { FieldErrorCode } from '@pulso/contracts/field-errors';
import { z } from 'zod';
import { DomainError, unavailable, type FieldError } from '../errors/domain-error.js';
import { CONNECT_CODE } from '../errors/connect-code-of-kind.js';
import type { ConnectCode } from '../errors/connect-code.js';
import { ERROR, NO_METADATA, type WireMetadata } from './wire-metadata.js';

/** A failed call on a transport. */
export class RpcStatusError extends Error {
  override readonly name = 'RpcStatusError';

  constructor(
    readonly code: ConnectCode,
    message: string,
    readonly metadata: WireMetadata = NO_METADATA,
  ) {
    super(message);
  }
}

export const deadlineExceeded = () =>
  new DomainError('deadline-exceeded', 'This took too long. Please try again.', { retryAfter: 1 });

/** The caller has cancelled the request. If a client gets this error, it may repeat the request. */
export const cancelled = () => new DomainError('cancelled', 'The request was cancelled.');

export const internalError = () => new DomainError('internal', 'Something went wrong. Please try again.');

export const payloadTooLarge = () => new DomainError('payload-too-large', 'The request is too large.');

/** Both sides refuse headers above 64 KiB, and base64 adds a third. */
const MAX_ERROR_CHARACTERS = 16_000;

export function toStatusError(error: DomainError, metadata: WireMetadata = NO_METADATA): RpcStatusError {
  const { kind, code, message, details } = error;
  let text = JSON.stringify({ kind, code, message, details });
  for (let errors = details.errors; errors && errors.length > 1 && text.length > MAX_ERROR_CHARACTERS;) {
    errors = errors.slice(0, errors.length >> 1);
    text = JSON.stringify({ kind, code, message, details: { ...details, errors } });
  }
  return new RpcStatusError(CONNECT_CODE[kind], message, { ...metadata, [ERROR]: text });
}

const kinds = Object.keys(CONNECT_CODE) as [ErrorKind, ...ErrorKind[]];
const fieldErrorSchema: z.ZodType<FieldError> = z.object({
  path: z.string(),
  message: z.string(),
  // A newer build may have more of them; the client gets these as they are.
  code: z.custom<FieldErrorCode>((code) => typeof code === 'string'),
});
const errorSchema = z.object({
  kind: z.enum(kinds),
  code: z.string(),
  message: z.string(),
  details: z.object({ errors: z.array(fieldErrorSchema).optional(), retryAfter: z.number().optional() }),
});

/**
 * Rebuilds the error that the service threw, or maps a failure of the transport to an error for the caller. If the other
 * build has a code that this build does not know, or knows as another kind, it becomes the general code of its kind.
 */
export function toDomainError(error: RpcStatusError): DomainError {
  const text = error.metadata[ERROR];
  if (text === undefined) return FOREIGN[error.code]();
  const { kind, code, message, details } = errorSchema.parse(JSON.parse(text));
  const known = isErrorCode(code) && kindOf(code) === kind;
  return new DomainError(known ? code : GENERAL_CODE[kind], message, details);
}

/** Codes without our own error in the metadata come from the transport or a proxy. */
const FOREIGN: Readonly<Record<ConnectCode, () => DomainError>> = {
  canceled: cancelled,
  unknown: internalError,
  invalid_argument: internalError,
  deadline_exceeded: deadlineExceeded,
  not_found: internalError,
  already_exists: internalError,
  permission_denied: internalError,
  resource_exhausted: payloadTooLarge,
  failed_precondition: internalError,
  aborted: unavailable,
  out_of_range: internalError,
  // The other side doesn't have the method yet: a rollout is in progress.
  unimplemented: unavailable,
  // A proxy says so of what it could not pass on.
  internal: unavailable,
  unavailable: unavailable,
  data_loss: internalError,
  unauthenticated: internalError,
};
