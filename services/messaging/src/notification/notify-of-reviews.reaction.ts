import { Injectable } from '@nestjs/common';
import type { ReviewState } from '@pulso/contracts/social/v1/events';
import { reviewTopic } from '@pulso/contracts/topics/social';
import type { Reaction } from '@pulso/platform/events/projection';
import { NotificationWriter } from './notification-writer.js';

/** `review` (NOTIF-2), once: an edit tells nothing new. Taken back with the review. */
@Injectable()
export class NotifyOfReviews implements Reaction<ReviewState> {
  readonly name = 'notify-of-reviews';
  readonly topic = reviewTopic;

  constructor(private readonly writer: NotificationWriter) {}

  handle({ coachId, reviewerId, version, deleted, createdAt: since }: ReviewState): Promise<void> {
    const people = { actorId: reviewerId, receiverId: coachId };
    return this.writer.apply(
      { ...people, type: 'review', targetId: coachId },
      { version, due: !deleted, since },
    );
  }
}
