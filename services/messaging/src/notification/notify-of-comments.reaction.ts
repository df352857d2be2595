import { Injectable } from '@nestjs/common';
import type { CommentState } from '@pulso/contracts/posts/v1/events';
import { commentTopic } from '@pulso/contracts/topics/posts';
import type { Reaction } from '@pulso/platform/events/projection';
import { MentionWriter } from './mention-writer.js';
import { NotificationWriter } from './notification-writer.js';

/**
 * `comment`: each comment notifies the post's author (NOTIF-1, NOTIF-3), and the others whom it mentions (NOTIF-2). Both are
 * taken back with the comment, also when the post is deleted, and while a moderator hides the comment.
 */
@Injectable()
export class NotifyOfComments implements Reaction<CommentState> {
  readonly name = 'notify-of-comments';
  readonly topic = commentTopic;

  constructor(
    private readonly writer: NotificationWriter,
    private readonly mentions: MentionWriter,
  ) {}

  async handle({ id, postId, postAuthorId, authorId, ...state }: CommentState): Promise<void> {
    const { version, deleted, hidden, createdAt: since } = state;
    const mentionedIds = state.mentionedIds.filter((mentioned) => mentioned !== postAuthorId);
    const due = !deleted && !hidden;
    const people = { actorId: authorId, receiverId: postAuthorId };
    const cause = { ...people, type: 'comment', targetId: id, postId, commentId: id } as const;
    await this.writer.apply(cause, { version, due, since });
    const text = { actorId: authorId, targetId: id, postId, commentId: id };
    await this.mentions.apply(text, { version, mentionedIds, shown: due, since });
  }
}
