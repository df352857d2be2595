import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { contactTopic, priceIntentTopic, userTopic } from '@pulso/contracts/topics/identity';
import { priceTopic } from '@pulso/contracts/topics/billing';
import { blockTopic, userSuspensionTopic } from '@pulso/contracts/topics/social';
import { CachedRows } from '@pulso/platform/memory/cached-rows';
import { Signals } from '@pulso/platform/signals/signals';
import { Clock } from '@pulso/platform/time/clock';

/** A user with their names and price. */
export const userRow = (id: string) => `user ${id}`;
export const sessionRow = (id: string) => `session ${id}`;
export const blockRow = (blockerId: string, blockedId: string) => `block ${blockerId} ${blockedId}`;

const OF_USERS: ReadonlySet<string> = new Set(
  [userTopic, contactTopic, priceIntentTopic, priceTopic, userSuspensionTopic].map(({ name }) => name),
);

/**
 * What this process has read of users, sessions and blocks. The repositories and projections that write them tell it. A
 * session that has ended, and an account that is suspended, are refused here at once, and at other replicas within 1 s, or
 * as soon as their signal comes (ACCT-21).
 */
@Injectable()
export class IdentityRows extends CachedRows implements OnModuleDestroy {
  constructor(signals: Signals, clock: Clock) {
    super({
      name: 'identity',
      signals,
      clock,
      rowsOf: ({ topic, key }) => {
        if (OF_USERS.has(topic)) return [userRow(key)];
        return topic === blockTopic.name ? [blockRow(...blockTopic.partsOf(key))] : [];
      },
    });
  }

  onModuleDestroy(): void {
    this.close();
  }
}
