import { Injectable } from '@nestjs/common';
import type { LikeState } from '@pulso/contracts/posts/v1/events';
import { likeTopic } from '@pulso/contracts/topics/posts';
import type { Reaction } from '@pulso/platform/events/projection';
import { NotificationWriter } from './notification-writer.js';

/** `post_like` and `comment_like` (NOTIF-1). A like that is taken back, also by its target's deletion, takes it back. */
@Injectable()
export class NotifyOfLikes implements Reaction<LikeState> {
  readonly name = 'notify-of-likes';
  readonly topic = likeTopic;

  constructor(private readonly writer: NotificationWriter) {}

  handle({ userId, targetId, postId, onComment, targetAuthorId, ...state }: LikeState): Promise<void> {
    const { version, active: due, createdAt: since } = state;
    const people = { actorId: userId, receiverId: targetAuthorId };
    const target = onComment ? { targetId, postId, commentId: targetId } : { targetId, postId };
    const type = onComment ? 'comment_like' : 'post_like';
    return this.writer.apply({ ...people, ...target, type }, { version, due, since });
  }
}
