import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { subscriptionTopic } from '@pulso/contracts/topics/billing';
import { Commits } from '@pulso/platform/events/outbox/commits';
import { CachedRows } from '@pulso/platform/memory/cached-rows';
import { Signals } from '@pulso/platform/signals/signals';
import { Clock } from '@pulso/platform/time/clock';

/** The subscription of a user to a coach. */
export const subscriptionRow = (userId: string, coachId: string) => `subscription ${userId} ${coachId}`;
/** How many subscribe to a coach, and ever did. */
export const countsRow = (coachId: string) => `counts ${coachId}`;

/** What this process has read of coaches' subscribers. Every subscription is published, so its commit tells it. */
@Injectable()
export class BillingRows extends CachedRows implements OnModuleDestroy {
  constructor(signals: Signals, commits: Commits, clock: Clock) {
    super({
      name: 'billing',
      signals,
      clock,
      commits,
      rowsOf: ({ topic, key }) => {
        if (topic !== subscriptionTopic.name) return [];
        const [userId, coachId] = subscriptionTopic.partsOf(key);
        return [subscriptionRow(userId, coachId), countsRow(coachId)];
      },
    });
  }

  onModuleDestroy(): void {
    this.close();
  }
}
