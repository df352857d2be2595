import { Injectable } from '@nestjs/common';
import type { Notification, UserRef } from '@pulso/contracts/messaging/v1/messaging';
import { fillPage } from '@pulso/platform/paging/fill-page';
import type { Position } from '@pulso/platform/paging/list-page';
import { totalOf } from '../counts/tally.js';
import { VisiblePeople } from '../people/visible-people.js';
import { positionOf, viewNotification } from './notification.js';
import { NotificationRepository } from './notification.repository.js';
import type { NotificationDocument } from './notification.schema.js';

/** The most that an open page is told of at once. */
const MOST_NEWS = 50;

/** A user's notifications as they see them: list, news and count leave out the same actors (NOTIF-1). */
@Injectable()
export class NotificationReader {
  constructor(
    private readonly notifications: NotificationRepository,
    private readonly people: VisiblePeople,
  ) {}

  /** At most `size`, newest first, and the position after which the next page begins; undefined when there is none. */
  async page(
    userId: string,
    after: Position | undefined,
    size: number,
  ): Promise<{ items: Notification[]; next: Position | undefined }> {
    const { found, next } = await fillPage({
      ...{ after, size },
      read: (from, limit) => this.notifications.list(userId, { after: from, limit }),
      shown: (rows) => this.seen(userId, rows),
      placeOf: positionOf,
    });
    return { items: found.map(({ row, actor }) => viewNotification(row, actor)), next };
  }

  /** The latest of those made at `from` or later, oldest first. */
  async since(userId: string, from: Date): Promise<Notification[]> {
    const rows = await this.notifications.listSince(userId, from, MOST_NEWS);
    const seen = await this.seen(userId, rows);
    return seen.map(({ row, actor }) => viewNotification(row, actor)).reverse();
  }

  /** Counted from the rows; up to MOST_COUNTED. */
  async unreadCount(userId: string): Promise<number> {
    const unread = await this.notifications.countUnread(userId);
    return totalOf(unread, await this.actors(userId, unread.keys()));
  }

  private async seen(userId: string, rows: readonly NotificationDocument[]) {
    const actors = await this.actors(
      userId,
      rows.map(({ actorId }) => actorId),
    );
    return rows.flatMap((row) => {
      const actor = actors.get(row.actorId);
      return actor ? [{ row, actor }] : [];
    });
  }

  /** Unlike in conversations, deleted users are not shown: nothing is left to go to. */
  private async actors(userId: string, ids: Iterable<string>): Promise<ReadonlyMap<string, UserRef>> {
    const wanted = [...ids];
    if (wanted.length === 0) return new Map();
    const people = await this.people.among(userId, wanted);
    return new Map([...people].filter(([, { username }]) => username !== ''));
  }
}
