import { status } from '@grpc/grpc-js';
import { type ErrorKind, GENERAL_CODE, isErrorCode, kindOf } from '@pulso/contracts/error-codes';
import type { FieldErrorCode } from '@pulso/contracts/field-errors';
import { z } from 'zod';
import { DomainError, unavailable, type FieldError } from '../errors/domain-error.js';
import { GRPC_STATUS } from '../errors/grpc-status.js';
import { ERROR, NO_METADATA, type WireMetadata } from './wire-metadata.js';

/** A failed call on a transport. */
export class RpcStatusError extends Error {
  override readonly name = 'RpcStatusError';

  constructor(
    readonly code: status,
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

/** HTTP/2 peers refuse headers above 64 KiB (see the channel options), and base64 adds a third. */
const MAX_ERROR_CHARACTERS = 16_000;

export function toStatusError(error: DomainError, metadata: WireMetadata = NO_METADATA): RpcStatusError {
  const { kind, code, message, details } = error;
  let text = JSON.stringify({ kind, code, message, details });
  for (let errors = details.errors; errors && errors.length > 1 && text.length > MAX_ERROR_CHARACTERS;) {
    errors = errors.slice(0, errors.length >> 1);
    text = JSON.stringify({ kind, code, message, details: { ...details, errors } });
  }
  return new RpcStatusError(GRPC_STATUS[kind], message, { ...metadata, [ERROR]: text });
}

const kinds = Object.keys(GRPC_STATUS) as [ErrorKind, ...ErrorKind[]];
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

/** Statuses without our own error in the metadata come from the transport or a proxy. */
const FOREIGN: Readonly<Record<status, () => DomainError>> = {
  [status.OK]: internalError,
  [status.CANCELLED]: cancelled,
  [status.UNKNOWN]: internalError,
  [status.INVALID_ARGUMENT]: internalError,
  [status.DEADLINE_EXCEEDED]: deadlineExceeded,
  [status.NOT_FOUND]: internalError,
  [status.ALREADY_EXISTS]: internalError,
  [status.PERMISSION_DENIED]: internalError,
  [status.RESOURCE_EXHAUSTED]: payloadTooLarge,
  [status.FAILED_PRECONDITION]: internalError,
  [status.ABORTED]: unavailable,
  [status.OUT_OF_RANGE]: internalError,
  // The other side doesn't have the method yet: a rollout is in progress.
  [status.UNIMPLEMENTED]: unavailable,
  // The status of a broken HTTP/2 stream.
  [status.INTERNAL]: unavailable,
  [status.UNAVAILABLE]: unavailable,
  [status.DATA_LOSS]: internalError,
  [status.UNAUTHENTICATED]: internalError,
};
