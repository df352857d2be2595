import { Injectable } from '@nestjs/common';
import { upsertIfNewer } from '@pulso/platform/mongo/upsert-if-newer';
import { ToldTexts } from './told-text.schema.js';
import type { Cause } from './notification.js';
import { NotificationRepository } from './notification.repository.js';
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

/** Tells those whom a text mentions, once each (NOTIF-2, NOTIF-3); an edit tells those whom it adds. */
@Injectable()
export class MentionWriter {
  constructor(
    private readonly told: ToldTexts,
    private readonly notifications: NotificationRepository,
    private readonly writer: NotificationWriter,
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
    for (const receiverId of receivers) {
      const cause = { ...text, type: 'mention', receiverId } as const;
      await this.writer.settle(cause, { version, due: mentionedIds.includes(receiverId) });
    }
  }

  /** Also true for a repeated event: a kill may have come before all were told. */
  private async isNewest(textId: string, version: number): Promise<boolean> {
    if (await upsertIfNewer(this.told.raw, textId, version, {})) return true;
    return (await this.told.findOne({ _id: textId }))?.version === version;
  }
}
