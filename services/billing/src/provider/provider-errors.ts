import { DomainError } from '@pulso/platform/errors/domain-error';
import type { Provider } from './provider.js';

/** This installation takes no payments (SUBS-3). */
export const notConfigured = () =>
  new DomainError('payments-not-configured', 'Payments are not set up on this server.');

/** Throws `payments-not-configured`. */
export function requireProvider({ isOn }: Provider): void {
  if (!isOn) throw notConfigured();
}

/** The caller has no account at the provider (SUBS-20). */
export const noBillingAccount = () =>
  new DomainError('no-billing-account', 'There is nothing to bill or to pay out yet.');

/** The provider refuses for good what billing asked for: nothing that a user can mend. */
export const refusedByProvider = () =>
  new DomainError('unprocessable', 'The payment provider has refused this.');
