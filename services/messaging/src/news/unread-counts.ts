import { Injectable } from '@nestjs/common';
import type { UnreadCounts as Counts } from '@pulso/contracts/messaging/v1/messaging';
import { totalOf } from '../counts/tally.js';
import { MessageRepository } from '../message/message.repository.js';
import { NotificationReader } from '../notification/notification-reader.js';
import { VisiblePeople } from '../people/visible-people.js';

/** The numbers on a user's badges (NOTIF-7). */
@Injectable()
export class UnreadCounts {
  constructor(
    private readonly messages: MessageRepository,
    private readonly notifications: NotificationReader,
    private readonly people: VisiblePeople,
  ) {}

  async of(userId: string): Promise<Counts> {
    const [notifications, messages] = await Promise.all([
      this.notifications.unreadCount(userId),
      this.messagesOf(userId),
    ]);
    return { notifications, messages };
  }

  /** The sum over the conversations that the user's list shows. */
  private async messagesOf(userId: string): Promise<number> {
    const unread = await this.messages.countUnread(userId);
    if (unread.size === 0) return 0;
    return totalOf(unread, await this.people.among(userId, unread.keys()));
  }
}
