import { Injectable } from '@nestjs/common';
import type { CommentState, PostState } from '@pulso/contracts/posts/v1/events';
import type { UserSuspensionState } from '@pulso/contracts/social/v1/events';
import { commentTopic, postTopic } from '@pulso/contracts/topics/posts';
import { userSuspensionTopic } from '@pulso/contracts/topics/social';
import type { Reaction } from '@pulso/platform/events/projection';
import { Clock } from '@pulso/platform/time/clock';
import { isNews, type MailFacts } from '../store/mail.js';
import { MailWriter } from './mail-writer.js';

/** A moderator's decision about a user, or about what they wrote. */
interface Decision extends Pick<MailFacts['moderation-decision'], 'subject' | 'isHidden' | 'reason'> {
  subjectId: string;
  /** Whom it concerns. */
  userId: string;
  decidedAt: number;
}

/** Tells users what moderators decided about them and what they wrote, once a decision (MAIL-11). */
@Injectable()
export class ModerationMails {
  constructor(
    private readonly writer: MailWriter,
    private readonly clock: Clock,
  ) {}

  /** Idempotent. */
  async write({ subjectId, userId, decidedAt, ...facts }: Decision): Promise<void> {
    if (!isNews(decidedAt, this.clock.now())) return;
    const kind = 'moderation-decision';
    await this.writer.write(`${kind}_${subjectId}_${decidedAt}`, { kind, userId, facts });
  }
}

@Injectable()
export class TellOfHiddenPosts implements Reaction<PostState> {
  readonly name = 'hidden-post-mails';
  readonly topic = postTopic;

  constructor(private readonly mails: ModerationMails) {}

  async handle({ id: subjectId, authorId: userId, deleted, hidden }: PostState): Promise<void> {
    if (!hidden || deleted) return;
    await this.mails.write({ subject: 'post', subjectId, userId, isHidden: true, ...hidden });
  }
}

@Injectable()
export class TellOfHiddenComments implements Reaction<CommentState> {
  readonly name = 'hidden-comment-mails';
  readonly topic = commentTopic;

  constructor(private readonly mails: ModerationMails) {}

  async handle({ id: subjectId, authorId: userId, deleted, hidden }: CommentState): Promise<void> {
    if (!hidden || deleted) return;
    await this.mails.write({ subject: 'comment', subjectId, userId, isHidden: true, ...hidden });
  }
}

@Injectable()
export class TellOfSuspensions implements Reaction<UserSuspensionState> {
  readonly name = 'suspension-mails';
  readonly topic = userSuspensionTopic;

  constructor(private readonly mails: ModerationMails) {}

  async handle({ userId, suspended: isHidden, reason, decidedAt }: UserSuspensionState): Promise<void> {
    await this.mails.write({ subject: 'account', subjectId: userId, userId, isHidden, reason, decidedAt });
  }
}
