import { z } from 'zod';

/** Who takes the money (SUBS-1): `none`, so subscribing is free. */
export const PAYMENTS = ['none'] as const;
export type Payments = (typeof PAYMENTS)[number];

/** Providers that are decided and not built. */
const PLANNED: readonly unknown[] = ['stripe', 'simulator'];

/** The setting PAYMENTS of billing, the gateway and the launcher. */
export const payments = z
  .enum(PAYMENTS, {
    error: ({ input }) =>
      PLANNED.includes(input)
        ? `this version has no payment provider yet, only ${PAYMENTS.join(', ')}`
        : `must be ${PAYMENTS.join(' or ')}`,
  })
  .optional();

/** Why settings are refused that lack it: in production a key that somebody forgot must not make everything free. */
export function missingPayments({
  NODE_ENV,
  PAYMENTS: given,
}: Readonly<Record<string, unknown>>): string | undefined {
  const isMissing = NODE_ENV === 'production' && given === undefined;
  return isMissing ? 'PAYMENTS: must be set with NODE_ENV=production' : undefined;
}
