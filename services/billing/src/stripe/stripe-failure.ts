import Stripe from 'stripe';
import type { ProviderFailure } from '../provider/payment-provider.js';

/** The connection was never made, so nothing was sent. */
const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/**
 * How an error of Stripe's package is to be taken. After an answer of 5xx the request is over, and Stripe gives that answer
 * again under its key. A 409 (the key is in use) and an `idempotency_error` (the key was used with other parameters) say nothing
 * of what the first request has done; neither does a time-out.
 */
export function stripeFailureOf(error: unknown): ProviderFailure {
  const { StripeError, StripeConnectionError, StripeIdempotencyError, StripeRateLimitError } = Stripe.errors;
  if (!(error instanceof StripeError)) return 'unknown';
  if (error instanceof StripeConnectionError) {
    const { code } = (error.detail ?? {}) as { code?: unknown };
    return typeof code === 'string' && NEVER_SENT.has(code) ? 'not-executed' : 'unknown';
  }
  if (error instanceof StripeIdempotencyError) return 'unknown';
  // v2 has another class for it.
  if (error instanceof StripeRateLimitError || error.statusCode === 429) return 'not-executed';
  // A connected account that has left the platform.
  if (error.code === 'account_invalid') return 'refused';
  switch (error.statusCode) {
    case 400:
    case 402:
    case 404:
      return 'refused';
    // A wrong key, and one without the right: Stripe looked at no parameter.
    case 401:
    case 403:
      return 'not-executed';
    case undefined:
    case 409:
      return 'unknown';
    default:
      return error.statusCode >= 500 ? 'failed' : 'unknown';
  }
}
