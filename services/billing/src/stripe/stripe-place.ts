import type Stripe from 'stripe';

/**
 * Where an object is at Stripe: on the platform's own account (null), or on a connected one, as all that direct charges make
 * (SUBS-16). Billing knows what is on a connected account by an id that begins with it: `acct_1/cus_1`.
 */
export interface Place {
  account: string | null;
  /** As Stripe has it. */
  id: string;
}

export function placeOf(id: string): Place {
  const slash = id.indexOf('/');
  return slash < 0 ? { account: null, id } : { account: id.slice(0, slash), id: id.slice(slash + 1) };
}

/** The id as billing knows it. */
export function idAt(account: string | null, id: string): string;
export function idAt(account: string | null, id: string | null): string | null;
export function idAt(account: string | null, id: string | null): string | null {
  return account === null || id === null ? id : `${account}/${id}`;
}

/** The options of a request for what is there. Stripe's package takes no empty ones. */
export const optionsOf = (account: string | null): Stripe.RequestOptions | undefined =>
  account === null ? undefined : { stripeAccount: account };
