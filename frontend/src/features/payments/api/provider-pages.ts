import { hasCode } from '../../../server/http/api-error.js';
import { noteOnboarding } from '../onboarding-note.js';
import { client, unwrap } from '../../../server/client/client.js';

interface ProviderPage {
  url: string;
}

/** Where a coach sets up payouts; the account for them is made first (SUBS-19). */
export async function onboarding(uid: string): Promise<ProviderPage> {
  await unwrap(client.POST('/api/stripe/connect/create-account', { body: { uid } }));
  const dashboard = `${location.origin}/dashboard`;
  const page = await unwrap(
    client.POST('/api/stripe/connect/onboarding-link', {
      body: { uid, refresh_url: dashboard, return_url: dashboard },
    }),
  );
  noteOnboarding(uid);
  return page;
}

/** What the viewer pays. Refused with no-billing-account where they have paid for nothing yet. */
export const billingPortal = (): Promise<ProviderPage> =>
  unwrap(client.POST('/api/stripe/billing/portal', { body: here() }));

/** What a coach is paid; where the provider has no such page yet, what they pay as a member (SUBS-20). */
export async function payoutDashboard(): Promise<ProviderPage> {
  try {
    return await unwrap(client.POST('/api/stripe/connect/dashboard-link', { body: here() }));
  } catch (error) {
    if (!hasCode(error, 'no-billing-account', 'coach-not-ready')) throw error;
    return billingPortal();
  }
}

const here = () => ({ return_url: location.href });
