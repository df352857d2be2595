import { z } from 'zod';
import type { Books } from '../books.js';
import { endpoint } from '../http/endpoint.js';
import { address, integer, text } from '../http/parameters.js';
import { StripeError } from '../http/stripe-error.js';
import { type Account, newAccount, openOnboarding } from './account.js';
import { momentOf } from './event.js';

/** How long a new account of v1 is not known to v2, in seconds. */
const V1_UNKNOWN = 600;

/** The names of v2's capabilities in v1. */
const CARDS = 'card_payments';
const TRANSFERS = 'transfers';

const INCLUDES = ['configuration.merchant', 'configuration.recipient', 'defaults', 'identity'] as const;
type Include = (typeof INCLUDES)[number];
const include = z.array(z.enum(INCLUDES)).default([]);

// Bodies of v2 are JSON: flags are flags here.
const requested = z.strictObject({ requested: z.literal(true) }).optional();
const merchant = z.strictObject({ capabilities: z.strictObject({ card_payments: requested }).optional() });
const recipient = z.strictObject({
  capabilities: z
    .strictObject({ stripe_balance: z.strictObject({ stripe_transfers: requested }).optional() })
    .optional(),
});
const responsibilities = z.strictObject({
  fees_collector: z.enum(['application', 'application_express']),
  losses_collector: z.literal('application'),
});
const creation = {
  configuration: z
    .strictObject({ merchant: merchant.optional(), recipient: recipient.optional() })
    .default({}),
  contact_email: z.email().optional(),
  dashboard: z.literal('express', 'the simulator has Express accounts only'),
  // Stripe wants the platform to bear both where an account has the Express dashboard.
  defaults: z.strictObject({ responsibilities }),
  identity: z
    .strictObject({
      country: z
        .string()
        .regex(/^[a-z]{2}$/i)
        .optional(),
    })
    .optional(),
  include,
  metadata: z.record(z.string().max(40), z.string().max(500)).default({}),
};

const refused = (code: string, message: string, status = 400) =>
  new StripeError(status, { type: 'invalid_request_error', code, message });

function createAccount(books: Books, given: z.output<z.ZodObject<typeof creation>>): object {
  const { configuration, identity, metadata, contact_email: email = null } = given;
  const hasCards = configuration.merchant?.capabilities?.card_payments !== undefined;
  const hasTransfers = configuration.recipient?.capabilities?.stripe_balance?.stripe_transfers !== undefined;
  if (identity?.country === undefined && Object.keys(configuration).length > 0)
    throw refused('identity_country_required', 'identity.country is required but not provided.');
  if (hasTransfers && !hasCards)
    throw refused(
      'capability_not_available_without_other_capability',
      'The stripe_transfers capability is not available without card_payments.',
    );
  const account = newAccount(books, {
    country: (identity?.country ?? 'MX').toUpperCase(),
    capabilities: [...(hasCards ? [CARDS] : []), ...(hasTransfers ? [TRANSFERS] : [])],
    madeBy: 'v2',
  });
  return shown(books.put('account', { ...account, email, metadata }), given.include);
}

/** Throws v2's error for an id that it does not know, or not yet. */
function accountOf(books: Books, id: string): Account {
  const account = books.of(null).find('account', id);
  if (!account) throw refused('not_found', `No such account: '${id}'`, 404);
  if (account._madeBy !== 'v2' && books.now < account.created + V1_UNKNOWN)
    throw refused('account_not_yet_compatible_with_v2', 'Account is not yet compatible with V2 APIs.');
  return account;
}

/** The account as v2 shows it: what is not asked for is null. */
function shown(account: Account, included: readonly Include[]): object {
  const has = (one: Include) => included.includes(one);
  const isMerchant = CARDS in account.capabilities;
  const isRecipient = TRANSFERS in account.capabilities;
  const cards = { card_payments: stateOf(account, CARDS) };
  const transfers = { stripe_balance: { stripe_transfers: stateOf(account, TRANSFERS) } };
  const showsMerchant = isMerchant && has('configuration.merchant');
  const showsRecipient = isRecipient && has('configuration.recipient');
  return {
    id: account.id,
    object: 'v2.core.account',
    applied_configurations: [...(isMerchant ? ['merchant'] : []), ...(isRecipient ? ['recipient'] : [])],
    closed: false,
    configuration:
      showsMerchant || showsRecipient
        ? {
            customer: null,
            merchant: showsMerchant ? { applied: true, capabilities: cards } : null,
            recipient: showsRecipient ? { applied: true, capabilities: transfers } : null,
          }
        : null,
    contact_email: account.email,
    created: momentOf(account.created),
    dashboard: 'express',
    defaults: has('defaults') ? { currency: account.default_currency } : null,
    display_name: null,
    identity: has('identity') ? { country: account.country.toLowerCase() } : null,
    livemode: false,
    metadata: account.metadata,
    requirements: null,
  };
}

const stateOf = ({ capabilities }: Account, name: string) =>
  capabilities[name] === 'active'
    ? { status: 'active', status_details: [] }
    : {
        status: 'restricted',
        status_details: [{ code: 'requirements_past_due', resolution: 'provide_info' }],
      };

export const accountV2Endpoints = [
  endpoint('POST', '/v2/core/accounts', creation, ({ books, parameters }) =>
    createAccount(books, parameters),
  ),
  endpoint('GET', '/v2/core/accounts/:id', { include }, ({ books, id, parameters }) =>
    shown(accountOf(books, id), parameters.include),
  ),
  endpoint(
    'GET',
    '/v2/core/accounts',
    {
      limit: integer.refine((value) => value >= 1 && value <= 100, 'must be 1 to 100').optional(),
      page: integer.optional(),
    },
    ({ books, parameters: { limit = 20, page = 0 } }) => {
      const items = books.all('account').toReversed();
      const urlOf = (from: number) => `/v2/core/accounts?limit=${limit}&page=${from}`;
      return {
        data: items.slice(page, page + limit).map((account) => shown(account, [])),
        next_page_url: page + limit < items.length ? urlOf(page + limit) : null,
        previous_page_url: page > 0 ? urlOf(Math.max(0, page - limit)) : null,
      };
    },
  ),
  endpoint(
    'POST',
    '/v2/core/account_links',
    {
      account: text,
      use_case: z.strictObject({
        type: z.literal('account_onboarding'),
        account_onboarding: z.strictObject({ refresh_url: address, return_url: address }),
      }),
    },
    ({ books, parameters: { account, use_case } }) => {
      const { id } = accountOf(books, account);
      const { refresh_url: refreshUrl, return_url: returnUrl } = use_case.account_onboarding;
      const { url, expiresAt } = openOnboarding(books, { account: id, refreshUrl, returnUrl });
      return {
        object: 'v2.core.account_link',
        account: id,
        created: momentOf(books.now),
        expires_at: momentOf(expiresAt),
        livemode: false,
        url,
        use_case,
      };
    },
  ),
];
