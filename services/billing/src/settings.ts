import { ConfigError } from '@pulso/platform/config/load-config';
import { settings } from '@pulso/platform/config/settings';
import { z } from 'zod';

const NOT_SET_IN_PRODUCTION = 'PAYMENTS: must be set with NODE_ENV=production';

/** Billing's own settings; the keys are the environment's names. */
export class BillingSettings extends settings({
  NODE_ENV: z.string().default('development'),
  /** Who takes the money (SUBS-1): `none`, so subscribing is free. */
  PAYMENTS: z
    .enum(['none'], {
      error: ({ input }) =>
        input === 'stripe' || input === 'simulator'
          ? 'this version has no payment provider yet, only none'
          : 'must be none',
    })
    .optional(),
}) {
  /** A key that somebody forgot must not make everything free. */
  static override check({ NODE_ENV, PAYMENTS }: Readonly<Record<string, unknown>>): void {
    if (NODE_ENV === 'production' && PAYMENTS === undefined) throw new ConfigError(NOT_SET_IN_PRODUCTION);
  }
}
