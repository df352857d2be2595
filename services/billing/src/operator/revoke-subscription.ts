import { Injectable } from '@nestjs/common';
import { AuditTrail } from '@pulso/platform/audit/audit-trail';
import { notFound } from '@pulso/platform/errors/domain-error';
import { PairWrites } from '@pulso/platform/postgres/pair-writes';
import { Clock } from '@pulso/platform/time/clock';
import type { Subscription } from '../store/subscription.entity.js';
import { stop } from '../store/subscription.js';
import { EndAtProvider } from '../provider-calls/end-at-provider.js';
import { type Pair, SubscriptionRepository } from '../store/subscription.repository.js';

/** Ends a subscription at once, for an operator, at the provider as well; it pays nothing back. */
@Injectable()
export class RevokeSubscription {
  constructor(
    private readonly pairs: PairWrites,
    private readonly subscriptions: SubscriptionRepository,
    private readonly atProvider: EndAtProvider,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
  ) {}

  /** Returns it as it was and as it is, or with `apply` false would be. Throws `not-found`. */
  execute(
    pair: Pair,
    { by, reason, apply }: { by: string; reason: string; apply: boolean },
  ): Promise<{ before: Subscription; after: Subscription }> {
    return this.pairs.run(pair.userId, pair.coachId, async (transaction) => {
      const before = await this.subscriptions.lock(pair, transaction);
      if (!before) throw notFound('There is no such subscription');
      const after = stop(before, this.clock.now());
      if (!apply) return { before, after };
      await this.atProvider.follow({ before, after }, 'revoked', 'none', transaction);
      const saved = await this.subscriptions.save({ before, after }, 'revoked', transaction);
      const outcome = `${before.status} to ${saved.status}`;
      const subject = `${pair.userId} ${pair.coachId}`;
      await this.audit.record({ by, command: 'revoke', subject, reason, outcome }, transaction);
      return { before, after: saved };
    });
  }
}
