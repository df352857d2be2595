import type { QueryClient } from '@tanstack/react-query';
import type { Me } from '../../../api/types.js';
import { toMinor } from '../../../i18n/price.js';
import { client, unwrap } from '../../../server/client/client.js';
import { takesPayments } from '../../../shared/config.js';

/** Asks for the provider's price of a coach who has one to pay (SUBS-7). A failure is ignored: the first checkout makes it. */
export async function ensureProviderPrice(queryClient: QueryClient, me: Me): Promise<void> {
  const { id, name, isCoach, subscriptionPrice, subscriptionCurrency } = me;
  if (!isCoach || !subscriptionPrice || !subscriptionCurrency) return;
  const body = {
    coachUid: id,
    unitAmount: toMinor(subscriptionPrice),
    currency: subscriptionCurrency.toLowerCase() as Lowercase<typeof subscriptionCurrency>,
    interval: 'month' as const,
    coachName: name,
  };
  try {
    if (await takesPayments(queryClient))
      await unwrap(client.POST('/api/stripe/prices/lazy-create', { body }));
  } catch {
    // See above.
  }
}
