import Stripe from 'stripe';
import { type AccountParts, isReady, type StripeAccounts } from './stripe-accounts-v1.js';
import { all, onceFor, within } from './stripe-client.js';
import { madeSince, rendered, sentTo } from './stripe-made.js';
import { hasMetadata } from './stripe-metadata.js';

/** Stripe leaves out what is not asked for. */
const include: Stripe.V2.Core.AccountRetrieveParams.Include[] = [
  'configuration.merchant',
  'configuration.recipient',
];
const PAGE = 100;

/** An account of v1 that v2 does not show, or not yet: it may take ten minutes from its making. */
const OF_V1_ALONE = new Set(['account_not_yet_compatible_with_v2', 'v1_account_instead_of_v2_account']);

/**
 * Accounts by v2, with Stripe's Express pages. `v1` stands in for an account that v1 has made and v2 does not know;
 * `country`: two small letters.
 */
export function accountsV2(
  { stripe, metadata, isDirect, now }: AccountParts,
  v1: StripeAccounts,
  country: string | undefined,
): StripeAccounts {
  const toAccount = ({ id, configuration }: Stripe.V2.Core.Account) => {
    const transfers = configuration?.recipient?.capabilities?.stripe_balance?.stripe_transfers?.status;
    const cards = configuration?.merchant?.capabilities?.card_payments?.status;
    return { id, isReady: isReady({ transfers, cards }, isDirect) };
  };
  const read: StripeAccounts['read'] = (accountId, signal) =>
    orByV1(
      async () =>
        toAccount(await within(signal, () => stripe.v2.core.accounts.retrieve(accountId, { include }))),
      () => v1.read(accountId, signal),
    );
  return {
    create: {
      render: ({ coachId }) =>
        rendered<Stripe.V2.Core.AccountCreateParams>(
          {
            dashboard: 'express',
            identity: { country },
            // Both, as by v1, whatever the charges: in most countries who may not charge cards is given no transfers, and
            // another STRIPE_CHARGES finds what it needs.
            configuration: {
              merchant: { capabilities: { card_payments: { requested: true } } },
              recipient: { capabilities: { stripe_balance: { stripe_transfers: { requested: true } } } },
            },
            // Those of v1's Express accounts.
            defaults: {
              responsibilities: { fees_collector: 'application_express', losses_collector: 'application' },
            },
            metadata: metadata.ofCoach(coachId),
            include,
          },
          null,
        ),
      make: async (given, context) =>
        toAccount(
          await within(context.signal, () =>
            stripe.v2.core.accounts.create(
              sentTo<Stripe.V2.Core.AccountCreateParams>(given).params,
              onceFor(context, null),
            ),
          ),
        ),
      async find(given, { signal }) {
        const since = madeSince(now()).created.gte * 1000;
        // This list knows no times and promises no order, and has no configurations.
        for await (const one of all(stripe.v2.core.accounts.list({ limit: PAGE }), signal))
          if (Date.parse(one.created) >= since && hasMetadata(one.metadata, given['metadata']))
            return read(one.id, signal);
        return undefined;
      },
    },
    openOnboarding: (to, signal) =>
      orByV1(
        async () => {
          const pages = { refresh_url: to.refreshUrl, return_url: to.returnUrl };
          const { url } = await within(signal, () =>
            stripe.v2.core.accountLinks.create({
              account: to.accountId,
              use_case: { type: 'account_onboarding', account_onboarding: pages },
            }),
          );
          return url;
        },
        () => v1.openOnboarding(to, signal),
      ),
    read,
  };
}

async function orByV1<T>(byV2: () => Promise<T>, byV1: () => Promise<T>): Promise<T> {
  try {
    return await byV2();
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError && OF_V1_ALONE.has(error.code ?? '')) return byV1();
    throw error;
  }
}
