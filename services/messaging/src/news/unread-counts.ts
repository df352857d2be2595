import { Injectable } from '@nestjs/common';
import type { UnreadCounts as Counts } from '@pulso/contracts/messaging/v1/messaging';
import { NotificationReader } from '../notification/notification-reader.js';
import type { Unfiltered } from '../projections/seen-people.js';
import { VisiblePeople } from '../projections/visible-people.js';
import { MessageRepository } from '../store/message.repository.js';
import { totalOf } from '../store/tally.js';

/** The numbers on a user's badges (NOTIF-7). */
@Injectable()
export class UnreadCounts {
  constructor(
    private readonly messages: MessageRepository,
    private readonly notifications: NotificationReader,
    private readonly people: VisiblePeople,
  ) {}

  async of(userId: string): Promise<Counts> {
    return this.people.show(userId, await this.read(userId));
  }

  /** The messages are the sum over the conversations that the user's list shows. */
  async read(userId: string): Promise<Unfiltered<Counts>> {
    const [notifications, messages] = await Promise.all([
      this.notifications.readUnread(userId),
      this.messages.countUnread(userId),
    ]);
    return {
      people: [...notifications.people, ...messages.keys()],
      filteredBy: async (people) => ({
        notifications: await notifications.filteredBy(people),
        messages: totalOf(messages, await people.among(messages.keys())),
      }),
    };
  }
}
