import { Injectable } from '@nestjs/common';
import type { UserRef } from '@pulso/contracts/common/v1/common';
import type { Notification } from '@pulso/contracts/messaging/v1/messaging';
import { fillPage, firstLimit } from '@pulso/platform/paging/fill-page';
import type { Position } from '@pulso/platform/paging/list-page';
import type { SeenPeople, Unfiltered } from '../projections/seen-people.js';
import { VisiblePeople } from '../projections/visible-people.js';
import { positionOf } from '../store/notification.js';
import { MAX_COUNTED, NotificationRepository, type UnreadFrom } from '../store/notification.repository.js';
import type { NotificationDocument } from '../store/notification.schema.js';
import { sumOf, tally } from '../store/tally.js';
import { viewNotification } from './view-notification.js';

/** How many notifications an open page gets at once. */
const MAX_NEWS = 50;
/** How many unread notifications a count reads, with the hidden ones: some milliseconds of work. */
const MAX_ROWS_READ = 10_000;

/** Oldest first. `cut`: there may be older ones, beyond the bound of a read. */
interface NewestNotifications {
  found: Notification[];
  cut: boolean;
}

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
    const people = this.people.visibleTo(userId);
    const { found, next } = await fillPage({
      ...{ after, size },
      read: (from, limit) => this.notifications.list(userId, { after: from, limit }),
      shown: (rows) => seenOf(rows, people),
      placeOf: positionOf,
    });
    return { items: found.map(({ row, actor }) => viewNotification(row, actor)), next };
  }

  /** The latest notifications made at `from` or later. */
  async readSince(userId: string, from: Date): Promise<Unfiltered<NewestNotifications>> {
    const list = (after: Position | undefined, limit: number) =>
      this.notifications.list(userId, { after, limit }, from);
    const newest = await list(undefined, firstLimit(MAX_NEWS));
    return {
      people: newest.map(({ actorId }) => actorId),
      filteredBy: async (people) => {
        const { found, next } = await fillPage({
          ...{ after: undefined as Position | undefined, size: MAX_NEWS },
          read: async (after, limit) => (after ? list(after, limit) : newest),
          shown: (rows) => seenOf(rows, people),
          placeOf: positionOf,
        });
        const shown = found.map(({ row, actor }) => viewNotification(row, actor));
        return { found: shown.reverse(), cut: next !== undefined };
      },
    };
  }

  /** How many notifications of visible actors the user has not read, up to MAX_COUNTED. */
  async readUnread(userId: string): Promise<Unfiltered<number>> {
    const first = await this.notifications.unreadActors(userId, {});
    return { people: first, filteredBy: (people) => this.countUnread(userId, first, people) };
  }

  /** Reads the rows actor by actor, up to MAX_ROWS_READ, and counts those of actors whom the user sees. */
  private async countUnread(userId: string, first: readonly string[], people: SeenPeople): Promise<number> {
    const counts = new Map<string, number>();
    let from: UnreadFrom = {};
    for (let read = 0; read < MAX_ROWS_READ; read += MAX_COUNTED) {
      const actors = read === 0 ? first : await this.notifications.unreadActors(userId, from);
      const seen = await actorsAmong(actors, people);
      for (const [actorId, count] of tally(actors)) if (seen.has(actorId)) counts.set(actorId, count);
      const last = actors.at(-1);
      if (actors.length < MAX_COUNTED || sumOf(counts) >= MAX_COUNTED) break;
      // The next read counts an actor whom this one has only begun with.
      from = seen.has(last!) ? { first: last! } : { after: last! };
    }
    return Math.min(sumOf(counts), MAX_COUNTED);
  }
}

async function seenOf(rows: readonly NotificationDocument[], people: SeenPeople) {
  const ids = rows.map(({ actorId }) => actorId);
  const actors = await actorsAmong(ids, people);
  return rows.flatMap((row) => {
    const actor = actors.get(row.actorId);
    return actor ? [{ row, actor }] : [];
  });
}

/** Unlike in conversations, deleted users are not shown: nothing is left to go to. */
async function actorsAmong(
  ids: readonly string[],
  people: SeenPeople,
): Promise<ReadonlyMap<string, UserRef>> {
  const seen = await people.among(ids);
  return new Map([...seen].filter(([, { username }]) => username !== ''));
}
