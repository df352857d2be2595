import { Injectable } from '@nestjs/common';
import type { ListNewsRequest, Message, News } from '@pulso/contracts/messaging/v1/messaging';
import { requireCaller } from '@pulso/platform/context/request-context';
import { validationFailed } from '@pulso/platform/errors/domain-error';
import { otherUserOf } from '../conversation/conversation.js';
import { ConversationRepository } from '../conversation/conversation.repository.js';
import { MessageRepository } from '../message/message.repository.js';
import { viewMessage } from '../message/message.js';
import { NotificationReader } from '../notification/notification-reader.js';
import { VisiblePeople } from '../people/visible-people.js';
import { UnreadCounts } from './unread-counts.js';

/** The most of each kind; whoever has missed more reloads. */
const MOST = 50;
/** The latest time that a Date can hold. */
const LATEST_MS = 8.64e15;

/** What happened to the caller at `since` or later, for the events of their open pages (NOTIF-8). */
@Injectable()
export class ListNews {
  constructor(
    private readonly conversations: ConversationRepository,
    private readonly messages: MessageRepository,
    private readonly notifications: NotificationReader,
    private readonly people: VisiblePeople,
    private readonly counts: UnreadCounts,
  ) {}

  async execute({ since }: ListNewsRequest): Promise<News> {
    const { userId } = requireCaller();
    if (since < 0 || since > LATEST_MS) {
      throw validationFailed([{ path: 'since', code: 'out-of-range', message: 'Must be a time' }]);
    }
    const [counts, messages, notifications] = await Promise.all([
      this.counts.of(userId),
      this.messagesSince(userId, new Date(since)),
      this.notifications.since(userId, new Date(since)),
    ]);
    return { counts, messages, notifications };
  }

  /** The latest messages of the user's conversations, oldest first. */
  private async messagesSince(userId: string, since: Date): Promise<Message[]> {
    const changed = await this.conversations.listSince(userId, since, MOST);
    const others = changed.map(({ _id }) => otherUserOf(_id, userId)!);
    const people = await this.people.among(userId, others);
    const shown = changed.filter((_, at) => people.has(others[at]!));
    const latest = await Promise.all(
      shown.map(({ _id, seq }) => this.messages.listSince(_id, seq - MOST, since)),
    );
    // The sort is stable, so messages of one conversation and millisecond keep their order.
    const found = latest.flat().toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
    return found.slice(-MOST).map(viewMessage);
  }
}
