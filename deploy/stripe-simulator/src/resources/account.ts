import { z } from 'zod';
import type { Books } from '../books.js';
import { endpoint, listed } from '../http/endpoint.js';
import { address, currency, flag, mergeMetadata, metadata, paging, text } from '../http/parameters.js';
import { invalid, unknownAccount } from '../http/stripe-error.js';

type Capability = 'active' | 'inactive' | 'pending';

export interface Account {
  id: string;
  object: 'account';
  business_profile: { name: string | null; product_description: string | null; url: string | null };
  business_type: string | null;
  capabilities: Record<string, Capability>;
  charges_enabled: boolean;
  controller: { type: 'application'; is_controller: true; stripe_dashboard: { type: 'express' } };
  country: string;
  created: number;
  default_currency: string;
  details_submitted: boolean;
  email: string | null;
  future_requirements: object;
  metadata: Record<string, string>;
  payouts_enabled: boolean;
  requirements: {
    alternatives: never[];
    current_deadline: null;
    currently_due: string[];
    disabled_reason: 'requirements.past_due' | null;
    errors: never[];
    eventually_due: string[];
    past_due: string[];
    pending_verification: never[];
  };
  type: 'express';
  /** Undefined in data of older simulators: v1. */
  _madeBy?: 'v1' | 'v2';
}

/** A page that is open for who has its address: onboarding or the Express dashboard. */
export interface AccountPage {
  id: string;
  account: string;
  /** `link` leads to `form` once. */
  kind: 'link' | 'form' | 'dashboard';
  refreshUrl: string;
  returnUrl: string;
  /** Whether the link was opened; it is good once. */
  isSpent: boolean;
  /** In seconds. */
  expiresAt: number;
}

const LINK_LIVES = 300;
export const PAGE_LIVES = 3_600;
const DUE = ['business_type', 'external_account', 'tos_acceptance.date', 'tos_acceptance.ip'];
/** The platform's own account: MXN needs one in Mexico. */
const PLATFORM = {
  id: 'acct_1Platform0000000',
  object: 'account',
  charges_enabled: true,
  country: 'MX',
  default_currency: 'mxn',
  details_submitted: true,
  email: null,
  metadata: {},
  payouts_enabled: true,
  type: 'standard',
};

const requirements = (due: string[]): Account['requirements'] => ({
  alternatives: [],
  current_deadline: null,
  currently_due: due,
  disabled_reason: due.length > 0 ? 'requirements.past_due' : null,
  errors: [],
  eventually_due: due,
  past_due: due,
  pending_verification: [],
});

const capability = z.strictObject({ requested: flag });
const fields = {
  business_profile: z
    .strictObject({
      mcc: text.optional(),
      name: text.optional(),
      product_description: text.optional(),
      url: address.optional(),
    })
    .optional(),
  business_type: z.enum(['individual', 'company', 'non_profit', 'government_entity']).optional(),
  capabilities: z
    .strictObject({ card_payments: capability.optional(), transfers: capability.optional() })
    .optional(),
  default_currency: currency.optional(),
  email: z.email().optional(),
  metadata: metadata.optional(),
};
const creation = {
  ...fields,
  controller: z
    .strictObject({
      fees: z.strictObject({ payer: z.enum(['application', 'account']) }).optional(),
      losses: z.strictObject({ payments: z.enum(['application', 'stripe']) }).optional(),
      requirement_collection: z.literal('stripe').optional(),
      stripe_dashboard: z.strictObject({ type: z.literal('express') }),
    })
    .optional(),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .optional(),
  type: z.literal('express', 'the simulator has Express accounts only').optional(),
};

function createAccount(books: Books, parameters: z.output<z.ZodObject<typeof creation>>): Account {
  const { type, controller, capabilities, country = PLATFORM.country, metadata: own } = parameters;
  if ((type === undefined) === (controller === undefined))
    throw invalid('You must give exactly one of `type` and `controller`.', { param: 'type' });
  const requested = Object.entries(capabilities ?? {}).filter(([, one]) => one?.requested);
  const account = newAccount(books, { country, capabilities: requested.map(([name]) => name), madeBy: 'v1' });
  return books.put('account', {
    ...account,
    business_profile: { ...account.business_profile, ...parameters.business_profile },
    business_type: parameters.business_type ?? null,
    default_currency: parameters.default_currency ?? account.default_currency,
    email: parameters.email ?? null,
    metadata: mergeMetadata({}, own),
  });
}

/** One that Stripe knows nothing of yet. */
export const newAccount = (
  books: Books,
  {
    country,
    capabilities,
    madeBy,
  }: { country: string; capabilities: readonly string[]; madeBy: 'v1' | 'v2' },
): Account => ({
  id: books.newId('acct_', 16),
  object: 'account',
  business_profile: { name: null, product_description: null, url: null },
  business_type: null,
  capabilities: Object.fromEntries(capabilities.map((name) => [name, 'inactive' as const])),
  charges_enabled: false,
  controller: { type: 'application', is_controller: true, stripe_dashboard: { type: 'express' } },
  country,
  created: books.now,
  default_currency: country === 'MX' ? 'mxn' : 'usd',
  details_submitted: false,
  email: null,
  future_requirements: requirements([]),
  metadata: {},
  payouts_enabled: false,
  requirements: requirements(DUE),
  type: 'express',
  _madeBy: madeBy,
});

/** What thin events say of a change: that something has changed. */
const CHANGES_V2 = [
  '[configuration.merchant].capability_status_updated',
  '[configuration.recipient].capability_status_updated',
  '[requirements].updated',
];

/** Stripe tells of an account in an event of the account itself, and of one that v2 has made in thin ones. */
function putAndTell(books: Books, account: Account): Account {
  books.put('account', account);
  const own = books.of(account.id);
  if (account._madeBy !== 'v2') own.emit('account.updated', account, {});
  else {
    const about = { id: account.id, type: 'v2.core.account', url: `/v2/core/accounts/${account.id}` };
    for (const change of CHANGES_V2) own.emitThin(`v2.core.account${change}`, about);
  }
  return account;
}

/** Onboarding is done, or was taken back: Stripe wants to know something again. */
export function setOnboarded(books: Books, id: string, isDone: boolean): Account {
  const before = books.get('account', id);
  const names = Object.keys(before.capabilities);
  return putAndTell(books, {
    ...before,
    capabilities: Object.fromEntries(names.map((name) => [name, isDone ? 'active' : 'inactive'])),
    charges_enabled: isDone && names.includes('card_payments'),
    details_submitted: true,
    payouts_enabled: isDone,
    requirements: requirements(isDone ? [] : ['individual.verification.document']),
  });
}

/** Throws Stripe's error where money cannot go to the account. */
export function requireTransfers(books: Books, id: string, param: string): Account {
  const account = books.of(null).find('account', id);
  if (!account) throw invalid(`No such destination: '${id}'`, { code: 'resource_missing', param });
  if (account.capabilities.transfers !== 'active')
    throw invalid(
      'Your destination account needs to have at least one of the following capabilities enabled: transfers, crypto_transfers, legacy_payments',
      { code: 'insufficient_capabilities_for_transfer', param },
    );
  return account;
}

export function openPage(
  books: Books,
  page: Omit<AccountPage, 'id' | 'isSpent' | 'expiresAt'>,
  lives: number,
): AccountPage {
  return books.of(null).put('_page', {
    id: books.newId('', 32),
    isSpent: false,
    expiresAt: books.now + lives,
    ...page,
  });
}

/** The page on which an account is set up: the address and when it ends, in seconds. */
export function openOnboarding(
  books: Books,
  { account, refreshUrl, returnUrl }: { account: string; refreshUrl: string; returnUrl: string },
): { url: string; expiresAt: number } {
  const page = openPage(books, { account, kind: 'link', refreshUrl, returnUrl }, LINK_LIVES);
  return { url: `${books.world.publicUrl}/setup/e/${account}/${page.id}`, expiresAt: page.expiresAt };
}

export const accountEndpoints = [
  endpoint('GET', '/v1/account', {}, ({ books }) =>
    books.account === null ? PLATFORM : books.of(null).get('account', books.account),
  ),
  endpoint('POST', '/v1/accounts', creation, ({ books, parameters }) => createAccount(books, parameters)),
  endpoint('GET', '/v1/accounts/:id', {}, ({ books, id }) => {
    const account = books.of(null).find('account', id);
    if (!account) throw unknownAccount(id);
    return account;
  }),
  endpoint('GET', '/v1/accounts', paging, ({ books }) => listed(books.all('account'))),
  endpoint('POST', '/v1/accounts/:id', fields, ({ books, id, parameters }) => {
    const before = books.get('account', id);
    const { metadata: change, capabilities, business_profile: profile, ...rest } = parameters;
    const requested = Object.entries(capabilities ?? {}).filter(([, one]) => one?.requested);
    const state: Capability = before.payouts_enabled ? 'active' : 'inactive';
    return putAndTell(books, {
      ...before,
      ...rest,
      business_profile: { ...before.business_profile, ...profile },
      capabilities: {
        ...before.capabilities,
        ...Object.fromEntries(requested.map(([name]) => [name, before.capabilities[name] ?? state])),
      },
      metadata: mergeMetadata(before.metadata, change),
    });
  }),
  endpoint(
    'POST',
    '/v1/account_links',
    {
      account: text,
      collection_options: z.strictObject({ fields: z.enum(['currently_due', 'eventually_due']) }).optional(),
      refresh_url: address,
      return_url: address,
      type: z.literal('account_onboarding'),
    },
    ({ books, parameters }) => {
      const { id } = books.get('account', parameters.account, 'account');
      const { refresh_url: refreshUrl, return_url: returnUrl } = parameters;
      const { url, expiresAt } = openOnboarding(books, { account: id, refreshUrl, returnUrl });
      return { object: 'account_link', created: books.now, expires_at: expiresAt, url };
    },
  ),
  endpoint('POST', '/v1/accounts/:id/login_links', {}, ({ books, id }) => {
    const account = books.get('account', id);
    if (!account.details_submitted)
      throw invalid('Cannot create a login link for an account that has not completed onboarding.');
    const page = openPage(
      books,
      { account: id, kind: 'dashboard', refreshUrl: '', returnUrl: '' },
      PAGE_LIVES,
    );
    return {
      object: 'login_link',
      created: books.now,
      url: `${books.world.publicUrl}/express/${id}/${page.id}`,
    };
  }),
];
