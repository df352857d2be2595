import Stripe from 'stripe';
import { stripeFailureOf } from './stripe-failure.js';

const answered = (statusCode: number, type = 'invalid_request_error', code?: string) =>
  Stripe.errors.StripeError.generate({ type, statusCode, code, message: 'no' } as never);

const broken = (code?: string) =>
  new Stripe.errors.StripeConnectionError({ message: 'no', type: 'api_error', detail: { code } } as never);

// Rule: SUBS-22
describe('an error of Stripe', () => {
  it('is a refusal where Stripe has judged the request', () => {
    for (const error of [answered(400), answered(402, 'card_error'), answered(404)])
      expect(stripeFailureOf(error)).toBe('refused');
  });

  it('says that nothing was done where Stripe has not looked at the request, or never got it', () => {
    for (const error of [
      answered(401),
      answered(403),
      answered(429),
      answered(400, 'invalid_request_error', 'rate_limit'),
    ])
      expect(stripeFailureOf(error)).toBe('not-executed');
    for (const code of ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'])
      expect(stripeFailureOf(broken(code))).toBe('not-executed');
  });

  it('says that the request is over where Stripe itself has failed', () => {
    for (const status of [500, 502, 503])
      expect(stripeFailureOf(answered(status, 'api_error'))).toBe('failed');
  });

  it('says nothing where the request may have taken effect', () => {
    for (const error of [
      answered(409, 'idempotency_error', 'idempotency_key_in_use'),
      answered(400, 'idempotency_error'),
      ...[broken('ECONNRESET'), broken('ETIMEDOUT'), broken('EPIPE'), broken()],
      new Error('a defect of ours'),
      AbortSignal.abort().reason,
    ])
      expect(stripeFailureOf(error)).toBe('unknown');
  });
});
