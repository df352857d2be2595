import type Stripe from 'stripe';
import type { PaymentProvider } from '../provider/payment-provider.js';
import { onceFor, within } from './stripe-client.js';
import { madeSince, newest, rendered, sentTo } from './stripe-made.js';
import type { StripeMetadata } from './stripe-metadata.js';

export interface AccountParts {
  stripe: Stripe;
  metadata: StripeMetadata;
  /** Whether coaches' accounts take the payments themselves. */
  isDirect: boolean;
  now(): number;
}

/** Coaches' accounts by one of Stripe's interfaces. */
export interface StripeAccounts extends Pick<PaymentProvider, 'openOnboarding'> {
  readonly create: PaymentProvider['calls']['createAccount'];
  readonly read: PaymentProvider['account'];
}

/** Express accounts. v1 reads all accounts, those that v2 has made, too. */
export function accountsV1({ stripe, metadata, isDirect, now }: AccountParts): StripeAccounts {
  const toAccount = ({ id, capabilities }: Stripe.Account) => ({
    id,
    isReady: isReady({ transfers: capabilities?.transfers, cards: capabilities?.card_payments }, isDirect),
  });
  return {
    create: {
      render: ({ coachId }) =>
        rendered<Stripe.AccountCreateParams>(
          {
            type: 'express',
            capabilities: { card_payments: { requested: true }, transfers: { requested: true } },
            metadata: metadata.ofCoach(coachId),
          },
          null,
        ),
      make: async (given, context) =>
        toAccount(
          await within(context.signal, () =>
            stripe.accounts.create(sentTo<Stripe.AccountCreateParams>(given).params, onceFor(context, null)),
          ),
        ),
      async find(given, { signal }) {
        const found = await newest(signal, stripe.accounts.list(madeSince(now())), given);
        return found && toAccount(found);
      },
    },
    async openOnboarding({ accountId, refreshUrl, returnUrl }, signal) {
      const { url } = await within(signal, () =>
        stripe.accountLinks.create({
          account: accountId,
          refresh_url: refreshUrl,
          return_url: returnUrl,
          type: 'account_onboarding',
        }),
      );
      return url;
    },
    read: async (accountId, signal) =>
      toAccount(await within(signal, () => stripe.accounts.retrieve(accountId))),
  };
}

/** Who is paid by transfers needs no right to charge cards; by direct charges the coach is the one who charges. */
export const isReady = (
  { transfers, cards }: { transfers: string | undefined; cards: string | undefined },
  isDirect: boolean,
): boolean => transfers === 'active' && (!isDirect || cards === 'active');
