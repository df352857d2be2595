import { z } from 'zod';
import type { Books } from '../books.js';
import { endpoint, listed } from '../http/endpoint.js';
import { address, flag, mergeMetadata, metadata, paging, text } from '../http/parameters.js';
import { invalid } from '../http/stripe-error.js';

/** What the portal of an account lets payers do. */
export interface PortalConfiguration {
  id: string;
  object: 'billing_portal.configuration';
  active: boolean;
  application: string | null;
  business_profile: { headline: string | null; privacy_policy_url: null; terms_of_service_url: null };
  created: number;
  default_return_url: string | null;
  features: {
    customer_update: { allowed_updates: never[]; enabled: false };
    invoice_history: { enabled: boolean };
    payment_method_update: { enabled: boolean };
    subscription_cancel: {
      cancellation_reason: { enabled: false; options: never[] };
      enabled: boolean;
      mode: 'at_period_end' | 'immediately';
      proration_behavior: 'none';
    };
    subscription_update: { default_allowed_updates: never[]; enabled: false; proration_behavior: 'none' };
  };
  is_default: boolean;
  livemode: false;
  metadata: Record<string, string>;
  name: string | null;
  updated: number;
}

/** The platform's own, which is saved in its dashboard. */
const PLATFORMS = 'bpc_1Simulator';

const feature = z.strictObject({ enabled: flag });
const creation = {
  default_return_url: address.optional(),
  features: z.strictObject({
    invoice_history: feature.optional(),
    payment_method_update: feature.optional(),
    subscription_cancel: z
      .strictObject({ enabled: flag, mode: z.enum(['at_period_end', 'immediately']).optional() })
      .optional(),
  }),
  metadata: metadata.optional(),
  name: text.optional(),
};

function create(books: Books, given: z.output<z.ZodObject<typeof creation>>): PortalConfiguration {
  const { features, metadata: own, name = null, default_return_url = null } = given;
  const { subscription_cancel: cancel } = features;
  return books.put('billing_portal.configuration', {
    id: books.newId('bpc_'),
    object: 'billing_portal.configuration',
    active: true,
    application: null,
    business_profile: { headline: null, privacy_policy_url: null, terms_of_service_url: null },
    created: books.now,
    default_return_url,
    features: {
      customer_update: { allowed_updates: [], enabled: false },
      invoice_history: { enabled: features.invoice_history?.enabled ?? false },
      payment_method_update: { enabled: features.payment_method_update?.enabled ?? false },
      subscription_cancel: {
        cancellation_reason: { enabled: false, options: [] },
        enabled: cancel?.enabled ?? false,
        mode: cancel?.mode ?? 'at_period_end',
        proration_behavior: 'none',
      },
      subscription_update: { default_allowed_updates: [], enabled: false, proration_behavior: 'none' },
    },
    is_default: false,
    livemode: false,
    metadata: mergeMetadata({}, own),
    name,
    updated: books.now,
  });
}

/** The configuration that a session is for. A connected account has none of its own until one is made and named. */
export function configurationOf(books: Books, given: string | undefined): string {
  if (given !== undefined) return books.get('billing_portal.configuration', given, 'configuration').id;
  if (books.account === null) return PLATFORMS;
  throw invalid(
    'No configuration provided and your test mode default configuration has not been created. Provide a configuration or create your default by saving your customer portal settings in test mode at https://dashboard.stripe.com/test/settings/billing/portal.',
  );
}

export const portalConfigurationEndpoints = [
  endpoint('POST', '/v1/billing_portal/configurations', creation, ({ books, parameters }) =>
    create(books, parameters),
  ),
  endpoint(
    'GET',
    '/v1/billing_portal/configurations',
    { ...paging, active: flag.optional(), is_default: flag.optional() },
    ({ books, parameters: { active, is_default: isDefault } }) =>
      listed(
        books
          .all('billing_portal.configuration')
          .filter(
            (one) =>
              (active === undefined || one.active === active) &&
              (isDefault === undefined || one.is_default === isDefault),
          ),
      ),
  ),
];
