import type { Rendered } from '../provider/payment-provider.js';
import type { StripeSettings } from '../settings.js';
import { type AccountParts, accountsV1, type StripeAccounts } from './stripe-accounts-v1.js';
import { accountsV2 } from './stripe-accounts-v2.js';

export type { StripeAccounts };

/** Coaches' accounts by the interface that the settings name (SUBS-16). */
export function stripeAccounts(
  { accounts, accountsCountry }: Pick<StripeSettings, 'accounts' | 'accountsCountry'>,
  parts: AccountParts,
): StripeAccounts {
  const v1 = accountsV1(parts);
  const v2 = accountsV2(parts, v1, accountsCountry);
  const chosen = accounts === 'v2' ? v2 : v1;
  // A call that is stored goes to the interface that it was rendered for, whatever the setting says now.
  const renderedBy = (given: Rendered) => ('configuration' in given ? v2 : v1).create;
  return {
    ...chosen,
    create: {
      render: chosen.create.render,
      make: (given, context) => renderedBy(given).make(given, context),
      find: (given, context) => renderedBy(given).find(given, context),
    },
  };
}
