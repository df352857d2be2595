import { Injectable } from '@nestjs/common';
import type { PostState } from '@pulso/contracts/posts/v1/events';
import { postTopic } from '@pulso/contracts/topics/posts';
import type { Reaction } from '@pulso/platform/events/projection';
import { MentionWriter } from './mention-writer.js';

/** `mention` in posts (NOTIF-2); those in comments are `NotifyOfComments`. Taken back while a moderator hides the post. */
@Injectable()
export class NotifyOfMentions implements Reaction<PostState> {
  readonly name = 'notify-of-mentions';
  readonly topic = postTopic;

  constructor(private readonly mentions: MentionWriter) {}

  handle({
    id,
    authorId,
    version,
    deleted,
    hidden,
    createdAt: since,
    mentionedIds,
  }: PostState): Promise<void> {
    const text = { actorId: authorId, targetId: id, postId: id };
    return this.mentions.apply(text, { version, mentionedIds, shown: !deleted && !hidden, since });
  }
}
