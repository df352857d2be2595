import Stripe from 'stripe';

/** The connection was never made, so nothing was sent. */
const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/**
 * How an error of Stripe's package is to be taken. An answer of 5xx, a 409 (the key is in use) and an `idempotency_error`
 * (the key was used with other parameters) say nothing of what the first request has done; neither does a time-out.
 */
export function stripeFailureOf(error: unknown): 'refused' | 'not-executed' | 'unknown' {
  const { StripeError, StripeConnectionError, StripeIdempotencyError, StripeRateLimitError } = Stripe.errors;
  if (!(error instanceof StripeError)) return 'unknown';
  if (error instanceof StripeConnectionError) {
    const { code } = (error.detail ?? {}) as { code?: unknown };
    return typeof code === 'string' && NEVER_SENT.has(code) ? 'not-executed' : 'unknown';
  }
  if (error instanceof StripeIdempotencyError) return 'unknown';
  if (error instanceof StripeRateLimitError) return 'not-executed';
  switch (error.statusCode) {
    case 400:
    case 402:
    case 404:
      return 'refused';
    // A wrong key, and one without the right: Stripe looked at no parameter.
    case 401:
    case 403:
      return 'not-executed';
    default:
      return 'unknown';
  }
}
