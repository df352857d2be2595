import { Injectable } from '@nestjs/common';
import type { FollowState } from '@pulso/contracts/social/v1/events';
import { followTopic } from '@pulso/contracts/topics/social';
import type { Reaction } from '@pulso/platform/events/projection';
import { NotificationWriter } from './notification-writer.js';

/** `follow` (NOTIF-2); taken back by unfollowing. */
@Injectable()
export class NotifyOfFollows implements Reaction<FollowState> {
  readonly name = 'notify-of-follows';
  readonly topic = followTopic;

  constructor(private readonly writer: NotificationWriter) {}

  handle({ followerId, targetId, version, active: due }: FollowState): Promise<void> {
    const people = { actorId: followerId, receiverId: targetId };
    return this.writer.apply({ ...people, type: 'follow', targetId }, { version, due });
  }
}
