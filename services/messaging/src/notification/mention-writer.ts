import { Injectable } from '@nestjs/common';
import { upsertIfNewer } from '@pulso/platform/mongo/upsert-if-newer';
import { Clock } from '@pulso/platform/time/clock';
import { AnnouncedTexts } from '../store/announced-text.schema.js';
import type { Cause } from '../store/notification.js';
import { NotificationRepository } from '../store/notification.repository.js';
import { NotificationWriter } from './notification-writer.js';

/** What a state says of the mentions in a text. */
interface MentionsInText {
  version: number;
  mentionedIds: readonly string[];
  /** False once it is deleted, and while a moderator hides it. */
  shown: boolean;
  /** When the text was written, in milliseconds since the epoch. */
  since: number;
}

/** An unchanged text's version is of the moment in which it was written. */
const SAME_MOMENT_MS = 1_000;
/** How many strangers one account's mentions may tell in an hour (NOTIF-14). */
const MOST_STRANGERS = 100;
const HOUR_MS = 60 * 60_000;

/** Tells those whom a text mentions, once each (NOTIF-2, NOTIF-3); an edit tells those whom it adds. */
@Injectable()
export class MentionWriter {
  constructor(
    private readonly announced: AnnouncedTexts,
    private readonly notifications: NotificationRepository,
    private readonly writer: NotificationWriter,
    private readonly clock: Clock,
  ) {}

  /**
   * Does nothing if the text was settled by a newer state. Most texts mention nobody and never change: of those nothing is
   * stored.
   */
  async settle(text: Omit<Cause, 'type' | 'receiverId'>, mentions: MentionsInText): Promise<void> {
    const { version, shown, since } = mentions;
    const mentionedIds = shown ? mentions.mentionedIds : [];
    if (shown && mentionedIds.length === 0 && version / 1000 - since < SAME_MOMENT_MS) return;
    if (!(await this.isNewest(text.targetId, version))) return;
    const gone = await this.notifications.mentionedIn(text.targetId);
    const receivers = new Set([...mentionedIds, ...gone]);
    const { strangers, told } = await this.strangersAmong(
      text.actorId,
      [...receivers].filter((id) => !gone.includes(id)),
    );
    for (const receiverId of receivers) {
      const isStranger = strangers.has(receiverId);
      const due = mentionedIds.includes(receiverId) && (!isStranger || told.has(receiverId));
      const cause = {
        ...text,
        type: 'mention',
        receiverId,
        ...(isStranger && { strangerOf: text.actorId }),
      } as const;
      await this.writer.settle(cause, { version, due });
    }
  }

  /**
   * Those who do not follow the writer, and those of them who are told (NOTIF-14). The others get the mark of a notification that
   * was taken back, so that a repeated event does not tell them either.
   */
  private async strangersAmong(writerId: string, added: readonly string[]) {
    const followers = await this.notifications.followersAmong(writerId, added);
    const strangers = added.filter((id) => id !== writerId && !followers.has(id));
    if (strangers.length === 0) return { strangers: new Set<string>(), told: new Set<string>() };
    const since = new Date(this.clock.now() - HOUR_MS);
    const before = await this.notifications.countStrangersTold(writerId, since, MOST_STRANGERS);
    return { strangers: new Set(strangers), told: new Set(strangers.slice(0, MOST_STRANGERS - before)) };
  }

  /** Also true for a repeated event: a kill may have come before all were told. */
  private async isNewest(textId: string, version: number): Promise<boolean> {
    if (await upsertIfNewer(this.announced.raw, textId, version, {})) return true;
    return (await this.announced.findOne({ _id: textId }))?.version === version;
  }
}
