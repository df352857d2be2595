import type Stripe from 'stripe';
import type { Rendered } from '../provider/payment-provider.js';
import { within } from './stripe-client.js';
import { hasMetadata, type StripeMetadata } from './stripe-metadata.js';
import type { StripeReads } from './stripe-reads.js';

/** No call is repeated for longer (`giveUpAfterMs`), so what it has made is younger. */
const LOOK_BACK_SECONDS = 26 * 60 * 60;
const PAGE = 100;

export interface StripeCallParts {
  stripe: Stripe;
  metadata: StripeMetadata;
  reads: StripeReads;
  feePercent: number;
  now(): number;
}

/** Parameters of Stripe's package as they are stored, with the connected account that they are for, where there is one. */
export const rendered = <Params extends object>(params: Params, account: string | null): Rendered => ({
  ...params,
  ...(account !== null && { account }),
});

export function sentTo<Params>({ account = null, ...params }: Rendered): {
  account: string | null;
  params: Params;
} {
  return { account: account as string | null, params: params as Params };
}

export const madeSince = (now: number) => ({
  created: { gte: Math.floor(now / 1000) - LOOK_BACK_SECONDS },
  limit: PAGE,
});

/** The newest of a list that has the metadata of `params`: lists begin with it. */
export function newest<T extends { metadata?: Stripe.Metadata | null }>(
  signal: AbortSignal,
  list: Stripe.ApiListPromise<T>,
  params: Rendered,
  fits: (one: T) => boolean = () => true,
): Promise<T | undefined> {
  return within(signal, async () => {
    for await (const one of list) {
      signal.throwIfAborted();
      if (hasMetadata(one.metadata, params['metadata']) && fits(one)) return one;
    }
    return undefined;
  });
}
