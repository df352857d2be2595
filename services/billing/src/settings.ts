import { refusedPayments, payments } from '@pulso/contracts/payments';
import { ConfigError } from '@pulso/platform/process/load-config';
import { settings } from '@pulso/platform/process/settings';
import { z } from 'zod';

/** Billing's own settings; the keys are the environment's names. */
export class BillingSettings extends settings({
  NODE_ENV: z.string().default('development'),
  PAYMENTS: payments,
}) {
  static override check(given: Readonly<Record<string, unknown>>): void {
    const missing = refusedPayments(given);
    if (missing) throw new ConfigError(missing);
  }
}
