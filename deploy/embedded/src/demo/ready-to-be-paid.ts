import { createAccessTokenSigner } from '@pulso/platform/auth/access-token';
import { DomainError } from '@pulso/platform/errors/domain-error';
import type { Logger } from '@pulso/platform/logging/logger';
import { systemClock } from '@pulso/platform/time/clock';
import type { JWK } from 'jose';
import { CALL_BUDGET_MS, callAs } from '../call-as.js';
import type { RunningPulso } from '../compose-pulso.js';
import { DEMO_PEOPLE } from './people.js';

const TOKEN_TTL_SECONDS = 60;

export interface PayoutsOptions {
  pulso: Pick<RunningPulso, 'clientsWithin' | 'drainEvents'>;
  /** Fills in the provider's form for an account. */
  onboard: (accountId: string) => void;
  signingKeys: JWK[];
  logger: Pick<Logger, 'warn'>;
}

/**
 * Sets up payouts for the coaches of the demo, as they would: so a newcomer can pay one at once. Can be repeated. A coach who is
 * none any more is left out.
 */
export async function readyToBePaid({ pulso, onboard, signingKeys, logger }: PayoutsOptions): Promise<void> {
  const { identity, billing } = pulso.clientsWithin(CALL_BUDGET_MS);
  const signer = createAccessTokenSigner({
    keys: signingKeys,
    ttlSeconds: TOKEN_TTL_SECONDS,
    clock: systemClock,
  });
  // Billing knows the coaches.
  await pulso.drainEvents();
  for (const { username, isCoach } of DEMO_PEOPLE) {
    if (!isCoach) continue;
    try {
      const { id } = await callAs(undefined, () => identity.getUserByUsername({ username }));
      const { token } = await signer.sign({ userId: id, sessionId: id });
      const { accountId } = await callAs(token, () => billing.openPayoutAccount({}));
      onboard(accountId);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      logger.warn({ err: error, username }, 'a coach of the demo cannot be paid');
    }
  }
}
