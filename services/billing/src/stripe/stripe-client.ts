import Stripe from 'stripe';
import type { StripeSettings } from '../settings.js';
import type { CallContext } from '../provider/payment-provider.js';
import { optionsOf } from './stripe-place.js';

/** Calls are rendered for this version of Stripe's interface, and answers are read as it has them. */
export const STRIPE_API_VERSION = '2026-10-28.endive';

/** Of one request. Nothing is repeated here: `ForeignCalls` does that. */
const TIMEOUT_MS = 4_000;

export function openStripe({ secretKey, apiUrl }: Pick<StripeSettings, 'secretKey' | 'apiUrl'>): Stripe {
  return new Stripe(secretKey, {
    apiVersion: STRIPE_API_VERSION,
    maxNetworkRetries: 0,
    timeout: TIMEOUT_MS,
    telemetry: false,
    appInfo: { name: 'Pulso' },
    ...(apiUrl && addressOf(new URL(apiUrl))),
  });
}

function addressOf({ protocol, hostname, port }: URL) {
  const isSecure = protocol === 'https:';
  const usualPort = isSecure ? 443 : 80;
  return {
    protocol: isSecure ? ('https' as const) : ('http' as const),
    // Node's client takes an IPv6 address without its brackets.
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? usualPort : Number(port),
  };
}

/** The options of a call that changes something. */
export const onceFor = ({ key, apiVersion }: CallContext, account: string | null): Stripe.RequestOptions => ({
  idempotencyKey: key,
  apiVersion,
  ...optionsOf(account),
});

/** Rejects when `signal` ends: Stripe's package knows limits of time alone. What was sent may take effect all the same. */
export async function within<T>(signal: AbortSignal, ask: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  let stop!: () => void;
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([ask(), stopped]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** All of a list, a page after the other; rejects when `signal` ends. */
export async function* all<T>(list: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const items = list[Symbol.asyncIterator]();
  for (;;) {
    const { value, done } = await within(signal, () => items.next());
    if (done) return;
    yield value as T;
  }
}

/** The id of what Stripe gives as an id or, expanded, as an object. */
export function idOf(given: string | { id: string }): string;
export function idOf(given: string | { id: string } | null | undefined): string | null;
export function idOf(given: string | { id: string } | null | undefined): string | null {
  return typeof given === 'string' ? given : (given?.id ?? null);
}
