import type { Profile } from '../../../api/types.js';
import { client, unwrap } from '../../../server/client/client.js';
import { ApiError, NetworkError, SessionOverError, hasCode } from '../../../server/http/api-error.js';
import { isSubscribed } from '../../../shared/subscribing/subscription.js';

/** In ms: the pauses between the looks. Together some 20 s, after which who waits is told. */
const PAUSES_MS = [1000, 1000, 1500, 2000, 2500, 3000, 3500, 4000];

/**
 * Looks until the viewer is subscribed to a coach: then resolves to the coach, else to undefined. `heard` resolves when an event
 * tells of it before that.
 */
export async function awaitSubscription(
  look: () => Promise<Profile | undefined>,
  heard: Promise<Profile>,
): Promise<Profile | undefined> {
  const pauses = [...PAUSES_MS];
  for (;;) {
    const coach = await Promise.race([heard, look().catch(notYet)]);
    const pause = pauses.shift();
    if (coach || pause === undefined) return coach;
    await Promise.race([heard, sleep(pause)]);
  }
}

/**
 * Has the subscription read anew from the provider, and lets one go on that was to end: only where the viewer has just paid for it.
 * Where that does not work, only looks.
 */
export async function lookAsPayer(id: string): Promise<Profile | undefined> {
  try {
    const subscription = await unwrap(client.PUT('/api/subscriptions/{id}', { params: { path: { id } } }));
    return isSubscribed(subscription) ? subscription.coach : undefined;
  } catch (error) {
    if (error instanceof SessionOverError) throw error;
    if (hasCode(error, 'payment-required')) return undefined;
    return lookAtCoach(id);
  }
}

/** Changes nothing. */
export async function lookAtCoach(id: string): Promise<Profile | undefined> {
  const coach = await unwrap(client.GET('/api/users/{id}', { params: { path: { id } } }));
  return coach.viewer?.subscribed ? coach : undefined;
}

/** Also where there is no answer, or the server refuses: it is not for this page to say that a payment has failed. */
function notYet(error: unknown): undefined {
  if (!(error instanceof ApiError) && !(error instanceof NetworkError)) throw error;
}

const sleep = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
