import { Injectable } from '@nestjs/common';
import type { EventBus } from '@pulso/platform/events/event-bus';
import { republish } from '@pulso/platform/events/republish';
import type { Topic } from '@pulso/contracts/topics/topic';
import { blockTopic, followTopic, hiddenPostTopic, reviewTopic, userSuspensionTopic } from '@pulso/contracts/topics/social';
import { toBlockState } from './block/block.entity.js';
import { BlockRepository } from './block/block.repository.js';
import { toFollowState } from './follow/follow.entity.js';
import { FollowRepository } from './follow/follow.repository.js';
import { DecisionRepository } from './moderation/decision.repository.js';
import { toHiddenPostState } from './moderation/post-hiding.entity.js';
import { toUserSuspensionState } from './moderation/user-suspension.entity.js';
import { toReviewState } from './review/review.entity.js';
import { ReviewRepository } from './review/review.repository.js';

type Publisher = (bus: EventBus) => Promise<number>;

/** Publishes every present state of a noun again, for projections that are being rebuilt. */
@Injectable()
export class RepublishSocial {
  private readonly publishers: ReadonlyMap<string, Publisher>;

  constructor(
    follows: FollowRepository,
    blocks: BlockRepository,
    reviews: ReviewRepository,
    decisions: DecisionRepository,
  ) {
    this.publishers = new Map([
      ['follow', publisher(followTopic, () => follows.all(), toFollowState)],
      ['block', publisher(blockTopic, () => blocks.all(), toBlockState)],
      ['review', publisher(reviewTopic, () => reviews.all(), toReviewState)],
      ['hidden-post', publisher(hiddenPostTopic, () => decisions.allHidings(), toHiddenPostState)],
      [
        'user-suspension',
        publisher(userSuspensionTopic, () => decisions.allSuspensions(), toUserSuspensionState),
      ],
    ]);
  }

  /** Answers how many states there were. Rejects for a noun that social doesn't own. */
  async execute(noun: string, bus: EventBus): Promise<number> {
    const publish = this.publishers.get(noun);
    if (!publish) throw new Error(`Social has no '${noun}' to republish`);
    return publish(bus);
  }
}

function publisher<Row, State>(
  topic: Topic<State>,
  rows: () => AsyncIterable<Row>,
  toState: (row: Row) => State,
): Publisher {
  return (bus) => republish({ topic, states: mapped(rows(), toState), bus });
}

async function* mapped<Row, State>(rows: AsyncIterable<Row>, toState: (row: Row) => State) {
  for await (const row of rows) yield toState(row);
}
