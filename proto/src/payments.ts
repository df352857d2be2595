import { z } from 'zod';
import type { CURRENCIES } from './limits.js';

/**
 * Who takes the money (SUBS-1, SUBS-2): nobody, so subscribing is free; Stripe; or the simulator, which billing talks to
 * with the same code as to Stripe.
 */
export const PAYMENTS = ['none', 'stripe', 'simulator'] as const;
export type Payments = (typeof PAYMENTS)[number];

/** The setting PAYMENTS of billing, the gateway and the launcher. */
export const payments = z.enum(PAYMENTS, { error: 'must be none, stripe or simulator' }).optional();

export type Currency = (typeof CURRENCIES)[number];

/** The least that the provider takes for a month, in minor units; a price may also be 0 (SUBS-5). */
export const PROVIDER_MINIMUM_MINOR: Readonly<Record<Currency, number>> = {
  MXN: 1_000,
  USD: 50,
};

/** Why settings are refused: in production a key that somebody forgot must not make everything free, nor a play payment pay. */
export function refusedPayments({
  NODE_ENV,
  PAYMENTS: given,
}: Readonly<Record<string, unknown>>): string | undefined {
  if (NODE_ENV !== 'production') return undefined;
  if (given === undefined) return 'PAYMENTS: must be set with NODE_ENV=production';
  if (given === 'simulator') return 'PAYMENTS: simulator takes no money, which production refuses';
  return undefined;
}

/** As the product shows money outside of the interface (SUBS-6), in minor units: "MX$10.00", "$0.50". */
export const shownMoney = (minor: number, currency: string): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(minor / 100);
