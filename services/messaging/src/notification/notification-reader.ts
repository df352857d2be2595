import { Injectable } from '@nestjs/common';
import type { Notification, UserRef } from '@pulso/contracts/messaging/v1/messaging';
import { fillPage } from '@pulso/platform/paging/fill-page';
import type { Position } from '@pulso/platform/paging/list-page';
import { sumOf, tally } from '../counts/tally.js';
import { VisiblePeople } from '../people/visible-people.js';
import { positionOf, viewNotification } from './notification.js';
import { MOST_COUNTED, NotificationRepository, type UnreadFrom } from './notification.repository.js';
import type { NotificationDocument } from './notification.schema.js';

/** The most that an open page is told of at once. */
const MOST_NEWS = 50;
/** How many unread ones a count looks at, the hidden ones among them: some milliseconds of work. */
const MOST_READ = 10_000;

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

  /**
   * The latest of those made at `from` or later, oldest first. `cut`: there may be more that are older, because this many were
   * found or because a reading has a bound.
   */
  async since(userId: string, from: Date): Promise<{ found: Notification[]; cut: boolean }> {
    const { found, next } = await fillPage({
      ...{ after: undefined as Position | undefined, size: MOST_NEWS },
      read: (after, limit) => this.notifications.list(userId, { after, limit }, from),
      shown: (rows) => this.seen(userId, rows),
      placeOf: positionOf,
    });
    const shown = found.map(({ row, actor }) => viewNotification(row, actor));
    return { found: shown.reverse(), cut: next !== undefined };
  }

  /**
   * Counted from the rows of those whom the user sees; up to MOST_COUNTED. The rows stand actor by actor, and those of others are
   * read past, up to MOST_READ rows.
   */
  async unreadCount(userId: string): Promise<number> {
    const counts = new Map<string, number>();
    let from: UnreadFrom = {};
    for (let read = 0; read < MOST_READ; read += MOST_COUNTED) {
      const actors = await this.notifications.unreadActors(userId, from);
      const seen = await this.actors(userId, new Set(actors));
      for (const [actorId, count] of tally(actors)) if (seen.has(actorId)) counts.set(actorId, count);
      const last = actors.at(-1);
      if (actors.length < MOST_COUNTED || sumOf(counts) >= MOST_COUNTED) break;
      // The next read counts an actor whom this one has only begun with.
      from = seen.has(last!) ? { first: last! } : { after: last! };
    }
    return Math.min(sumOf(counts), MOST_COUNTED);
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
