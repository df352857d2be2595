import { Injectable } from '@nestjs/common';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { KnownUsers } from '../projections/known-users.js';
import { endingsOf } from '../store/ending.js';
import { type ActOn, type Pair, SubscriptionRepository } from '../store/subscription.repository.js';
import type { PairFacts } from './decide.js';
import { refundOf } from '../provider-calls/end-at-provider.js';

/** What billing knows of a pair now, under the pair's lock and those of both users' rows. */
@Injectable()
export class PairStandings {
  constructor(
    private readonly users: KnownUsers,
    private readonly subscriptions: SubscriptionRepository,
  ) {}

  async lock(pair: Pair, transaction: Transaction): Promise<ActOn & Pick<PairFacts, 'forbidden'>> {
    const users = await this.users.lockBothInPair(pair.userId, pair.coachId, transaction);
    const found = await this.subscriptions.lockForAct(pair, transaction);
    const [user, coach] = [users.get(pair.userId), users.get(pair.coachId)];
    return { ...found, forbidden: forbiddenBy(user, coach, found.blocks) };
  }
}

/** Who is not known has not arrived yet, or is being read again: that ends nothing. */
function forbiddenBy(
  user: { status: string; isCoach: boolean } | undefined,
  coach: { status: string; isCoach: boolean } | undefined,
  { blocked, blockedBy }: ActOn['blocks'],
): PairFacts['forbidden'] {
  const reasons = [
    ...(user ? endingsOf(user) : []).filter(({ side }) => side === 'subscriber'),
    ...(coach ? endingsOf(coach) : []).filter(({ side }) => side === 'coach'),
  ].map(({ reason }) => reason);
  const atOnce = reasons.find((reason) => reason !== 'coach-stopped');
  if (atOnce) return { reason: atOnce, refund: refundOf(atOnce) };
  if (blocked || blockedBy) return { reason: 'blocked', refund: refundOf('blocked', !blockedBy) };
  const [reason] = reasons;
  return reason && { reason, refund: 'none' };
}
