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
/** How many strangers one account's mentions may notify in an hour (NOTIF-14). */
const MAX_STRANGERS = 100;
const HOUR_MS = 60 * 60_000;

/** Notifies those whom a text mentions, once each (NOTIF-2, NOTIF-3); an edit notifies those whom it adds. */
@Injectable()
export class MentionWriter {
  constructor(
    private readonly announced: AnnouncedTexts,
    private readonly notifications: NotificationRepository,
    private readonly writer: NotificationWriter,
    private readonly clock: Clock,
  ) {}

  /**
   * Notifies those whom a state of the text mentions, and takes back the notifications of the others; does nothing after a
   * newer state. Nothing is stored of a text that mentions nobody and was never changed, as most texts are.
   */
  async apply(text: Omit<Cause, 'type' | 'receiverId'>, mentions: MentionsInText): Promise<void> {
    const { version, shown, since } = mentions;
    const mentionedIds = shown ? mentions.mentionedIds : [];
    if (shown && mentionedIds.length === 0 && version / 1000 - since < SAME_MOMENT_MS) return;
    if (!(await this.isNewest(text.targetId, version))) return;
    const gone = await this.notifications.mentionedIn(text.targetId);
    const receivers = new Set([...mentionedIds, ...gone]);
    const { strangers, notified } = await this.strangersAmong(
      text.actorId,
      [...receivers].filter((id) => !gone.includes(id)),
    );
    for (const receiverId of receivers) {
      const isStranger = strangers.has(receiverId);
      const due = mentionedIds.includes(receiverId) && (!isStranger || notified.has(receiverId));
      const cause = {
        ...text,
        type: 'mention',
        receiverId,
        ...(isStranger && { strangerOf: text.actorId }),
      } as const;
      await this.writer.apply(cause, { version, due });
    }
  }

  /**
   * Those who do not follow the writer, and those of them who are notified (NOTIF-14). The others get the mark of a notification
   * that was taken back, so that a repeated event does not notify them either.
   */
  private async strangersAmong(writerId: string, added: readonly string[]) {
    const followers = await this.notifications.followersAmong(writerId, added);
    const strangers = added.filter((id) => id !== writerId && !followers.has(id));
    if (strangers.length === 0) return { strangers: new Set<string>(), notified: new Set<string>() };
    const since = new Date(this.clock.now() - HOUR_MS);
    const before = await this.notifications.countNotifiedStrangers(writerId, since, MAX_STRANGERS);
    return { strangers: new Set(strangers), notified: new Set(strangers.slice(0, MAX_STRANGERS - before)) };
  }

  /** Also true for a repeated event: a kill may have come before all were notified. */
  private async isNewest(textId: string, version: number): Promise<boolean> {
    if (await upsertIfNewer(this.announced.raw, textId, version, {})) return true;
    return (await this.announced.findOne({ _id: textId }))?.version === version;
  }
}
