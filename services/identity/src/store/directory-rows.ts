import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { priceTopic } from '@pulso/contracts/topics/billing';
import { priceIntentTopic, userTopic } from '@pulso/contracts/topics/identity';
import { blockTopic, userFiguresTopic, userSuspensionTopic } from '@pulso/contracts/topics/social';
import { Commits } from '@pulso/platform/events/outbox/commits';
import { CachedRows } from '@pulso/platform/memory/cached-rows';
import { Signals } from '@pulso/platform/signals/signals';
import { Clock } from '@pulso/platform/time/clock';

/** All coaches as they are listed. Any of them may be on any page. */
export const DIRECTORY = 'directory';
/** Whom blocks, in either direction, hide from a user. */
export const hiddenRow = (userId: string) => `hidden ${userId}`;

const OF_COACHES: ReadonlySet<string> = new Set(
  [userTopic, priceIntentTopic, priceTopic, userFiguresTopic, userSuspensionTopic].map(({ name }) => name),
);
/** Some 50 KB each at most. */
const KEPT_PAGES = 200;

/**
 * The pages of the directory that this process has read. Apart from `IdentityRows`, because a page is large and searches are
 * many. Commits of users tell it, and the projections of what else a page shows.
 */
@Injectable()
export class DirectoryRows extends CachedRows implements OnModuleDestroy {
  constructor(signals: Signals, commits: Commits, clock: Clock) {
    super({
      name: 'directory',
      signals,
      clock,
      commits,
      rowsOf: ({ topic, key }) => {
        if (OF_COACHES.has(topic)) return [DIRECTORY];
        return topic === blockTopic.name ? blockTopic.partsOf(key).map(hiddenRow) : [];
      },
      most: KEPT_PAGES,
    });
  }

  onModuleDestroy(): void {
    this.close();
  }
}
