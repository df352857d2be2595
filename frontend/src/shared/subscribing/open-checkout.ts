import { leaveFor } from '../../browser/leave-for.js';
import { client, unwrap } from '../../server/client/client.js';
import { hasCode, hasStatus } from '../../server/http/api-error.js';
import { noteCheckout } from './checkout-note.js';
import { returnAddress } from './checkout-return.js';

/**
 * Leads to the provider's page on which the viewer pays for a subscription to a coach (SUBS-14). It leads back to the page that is
 * open. Resolves where the viewer has come back by Back.
 */
export async function openCheckout(coachId: string): Promise<void> {
  const body = {
    coachUid: coachId,
    success_url: returnAddress(coachId, 'done'),
    cancel_url: returnAddress(coachId, 'cancelled'),
  };
  const { url } = await unwrap(client.POST('/api/stripe/checkout/create', { body })).catch(refuse);
  noteCheckout(coachId);
  await leaveFor(url);
}

/** One text tells that it cannot be opened, also where Pulso is well and the provider is away. */
function refuse(cause: unknown): never {
  if (!hasStatus(cause, 503) || hasCode(cause, 'outcome-unknown')) throw cause;
  throw new Error('the checkout was not opened', { cause });
}
