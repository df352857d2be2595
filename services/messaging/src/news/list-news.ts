import { Injectable } from '@nestjs/common';
import type { ListNewsRequest, News } from '@pulso/contracts/messaging/v1/messaging';
import { requireCaller } from '@pulso/platform/context/request-context';
import { validationFailed } from '@pulso/platform/errors/domain-error';
import { viewMessage } from '../message/message.js';
import { NotificationReader } from '../notification/notification-reader.js';
import type { Unfiltered } from '../projections/seen-people.js';
import { VisiblePeople } from '../projections/visible-people.js';
import { type NewestMessages, MessageRepository } from '../store/message.repository.js';
import type { MessageDocument } from '../store/message.schema.js';
import { newsBound } from './news-bound.js';
import { UnreadCounts } from './unread-counts.js';

/** The latest time that a Date can hold. */
const LATEST_MS = 8.64e15;

/**
 * What happened to the caller at `since` or later, for the events of their open pages (NOTIF-8): the newest, up to a bound
 * (NOTIF-13), because every message that anybody sends them causes such a call.
 */
@Injectable()
export class ListNews {
  constructor(
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
    return this.people.show(userId, await this.read(userId, new Date(since)));
  }

  private async read(userId: string, since: Date): Promise<Unfiltered<News>> {
    const parts = await Promise.all([
      this.counts.read(userId),
      this.readMessages(userId, since),
      this.notifications.readSince(userId, since),
    ]);
    return {
      people: parts.flatMap(({ people }) => [...people]),
      filteredBy: async (people) => {
        const [unread, received, notified] = parts;
        const [counts, messages, notifications] = await Promise.all([
          unread.filteredBy(people),
          received.filteredBy(people),
          notified.filteredBy(people),
        ]);
        return {
          counts,
          messages: messages.found.map(viewMessage).reverse(),
          notifications: notifications.found,
          moreMessages: messages.cut,
          moreNotifications: notifications.cut,
        };
      },
    };
  }

  private async readMessages(userId: string, since: Date): Promise<Unfiltered<NewestMessages>> {
    const [sent, received] = await Promise.all([
      this.messages.newest({ senderId: userId }, since, newsBound()),
      this.messages.newest({ receiverId: userId }, since, newsBound()),
    ]);
    const both = newestOf(sent, received);
    const otherOf = ({ senderId, receiverId }: MessageDocument) =>
      senderId === userId ? receiverId : senderId;
    const others = both.found.map(otherOf);
    return {
      people: others,
      filteredBy: async (people) => {
        const seen = await people.among(others);
        return { ...both, found: both.found.filter((message) => seen.has(otherOf(message))) };
      },
    };
  }
}

/** The newest of both lists within the bound. None of them is older than a message that a list has left out. */
function newestOf(...lists: readonly NewestMessages[]): NewestMessages {
  const cutAt = lists.map(({ found, cut }) => (cut ? found.at(-1)!.createdAt.getTime() : 0));
  const from = Math.max(...cutAt);
  const all = lists.flatMap(({ found }) => found).filter(({ createdAt }) => createdAt.getTime() >= from);
  const sorted = all.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || b.seq - a.seq);
  const fits = newsBound();
  const end = sorted.findIndex((message) => !fits(message));
  return { found: end === -1 ? sorted : sorted.slice(0, end), cut: from > 0 || end !== -1 };
}
