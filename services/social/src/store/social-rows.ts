import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { blockTopic, followTopic, reviewTopic } from '@pulso/contracts/topics/social';
import { Commits } from '@pulso/platform/events/outbox/commits';
import { CachedRows } from '@pulso/platform/memory/cached-rows';
import { Signals } from '@pulso/platform/signals/signals';
import { Clock } from '@pulso/platform/time/clock';

/** The follows, blocks and reviews between two users, in either direction. */
export const pairRow = (one: string, other: string) =>
  one < other ? `pair ${one} ${other}` : `pair ${other} ${one}`;
/** A user's followers, followings and reviews, as numbers. */
export const countsRow = (id: string) => `counts ${id}`;

/**
 * What this process has read of relations between users and of their figures. Every follow, block and review is published, so
 * its commit tells it; suspensions and deletions, which change the figures of any number of users, by `KnownUsers`.
 */
@Injectable()
export class SocialRows extends CachedRows implements OnModuleDestroy {
  constructor(signals: Signals, commits: Commits, clock: Clock) {
    super({
      name: 'social',
      signals,
      clock,
      commits,
      rowsOf: ({ topic, key }) => {
        if (topic === followTopic.name) {
          const [follower, target] = followTopic.partsOf(key);
          return [pairRow(follower, target), countsRow(follower), countsRow(target)];
        }
        if (topic === reviewTopic.name) {
          const [coach, reviewer] = reviewTopic.partsOf(key);
          return [pairRow(coach, reviewer), countsRow(coach)];
        }
        return topic === blockTopic.name ? [pairRow(...blockTopic.partsOf(key))] : [];
      },
    });
  }

  onModuleDestroy(): void {
    this.close();
  }
}
