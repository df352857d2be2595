export interface ErrorFields {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error' | 'rate_limit_error';
  message: string;
  code?: string;
  param?: string;
  decline_code?: string;
}

/** An error as v2 writes it: a code, and a type only where it has a class of its own. */
export function toV2({ status, fields: { type, code, message } }: StripeError): object {
  if (type === 'idempotency_error') return { type, code, message };
  if (status === 429) return { type: 'rate_limit', code: 'account_rate_limit_exceeded', message };
  const isOfFields = status === 400 && (code === undefined || code.startsWith('parameter_'));
  return { code: isOfFields ? 'invalid_fields' : code, message };
}

/** An answer of Stripe's that is an error. */
export class StripeError extends Error {
  constructor(
    readonly status: number,
    readonly fields: ErrorFields,
    /** Whether what was done before stays: a card that was declined was tried. */
    readonly keepsEffect = false,
  ) {
    super(fields.message);
  }
}

/** 400 `invalid_request_error`. */
export function invalid(message: string, fields: { code?: string; param?: string } = {}): StripeError {
  return new StripeError(400, { type: 'invalid_request_error', message, ...fields });
}

/** The object is not there, or belongs to another account. */
export function missing(what: string, id: string, param = 'id'): StripeError {
  return new StripeError(param === 'id' ? 404 : 400, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${what}: '${id}'`,
    param,
  });
}

/** The account is not there, or is none of the platform's. */
export const unknownAccount = (id: string): StripeError =>
  new StripeError(403, {
    type: 'invalid_request_error',
    code: 'account_invalid',
    message: `The provided key does not have access to account '${id}' (or that account does not exist). Application access may have been revoked.`,
  });
