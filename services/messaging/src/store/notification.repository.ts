import { Injectable } from '@nestjs/common';
import { newIdAt } from '@pulso/platform/ids/uuid-v7';
import type { Position, Slice } from '@pulso/platform/paging/list-page';
import { Clock } from '@pulso/platform/time/clock';
import type { mongo } from 'mongoose';
import { type Cause, keyOf } from './notification.js';
import { NotificationCollection, type NotificationDocument } from './notification.schema.js';

type Seen = Pick<NotificationDocument, '_id' | 'version' | 'read'>;
type Changes = Partial<Pick<NotificationDocument, 'version' | 'live' | 'createdAt'>>;

/** How many unread notifications are counted: many more than a badge shows. */
export const MAX_COUNTED = 1_000;

/** Which actor the rows begin with: this one, or the first one after; all if neither is given. */
export interface UnreadFrom {
  first?: string;
  after?: string;
}

const NEWEST_FIRST = { createdAt: -1, _id: -1 } as const;

@Injectable()
export class NotificationRepository {
  constructor(
    private readonly rows: NotificationCollection,
    private readonly clock: Clock,
  ) {}

  findByCause(cause: Cause): Promise<NotificationDocument | null> {
    return this.rows.findOne({ key: keyOf(cause) });
  }

  /** One of the receiver's, even if it is taken back. */
  findOwn(receiverId: string, id: string): Promise<NotificationDocument | null> {
    return this.rows.findOne({ _id: id, receiverId });
  }

  /** Returns false if the cause has a row already. */
  insert(
    cause: Cause,
    fields: Pick<NotificationDocument, 'version' | 'live' | 'createdAt'>,
  ): Promise<boolean> {
    const { receiverId, actorId, type, targetId, postId, commentId, strangerOf } = cause;
    return this.rows.insertIfNew({
      ...{
        _id: newIdAt(this.clock.now()),
        key: keyOf(cause),
        receiverId,
        actorId,
        type,
        targetId,
        ...fields,
      },
      ...(postId !== undefined && { postId }),
      ...(commentId !== undefined && { commentId }),
      ...(type === 'mention' && { mentionedIn: targetId }),
      ...(strangerOf !== undefined && { strangerOf }),
      read: false,
    });
  }

  /** Compare-and-set; returns false if the row has changed since `seen`, or is gone. */
  async change({ _id, version, read }: Seen, set: Changes): Promise<boolean> {
    const { matchedCount } = await this.rows.raw.updateOne({ _id, version, read }, { $set: set });
    return matchedCount > 0;
  }

  /** Those who have a notification of being mentioned in the text. */
  async mentionedIn(targetId: string): Promise<string[]> {
    const found = await this.rows.find(
      { mentionedIn: targetId, live: true },
      { projection: { receiverId: 1 } },
    );
    return found.map(({ receiverId }) => receiverId);
  }

  /** Those of `users` who follow the user: whoever does has made a notification of it. */
  async followersAmong(userId: string, users: readonly string[]): Promise<ReadonlySet<string>> {
    if (users.length === 0) return new Set();
    const keys = users.map((actorId) =>
      keyOf({ type: 'follow', targetId: userId, actorId, receiverId: userId }),
    );
    const found = await this.rows.find(
      { key: { $in: keys }, live: true },
      { projection: { actorId: 1 }, limit: keys.length },
    );
    return new Set(found.map(({ actorId }) => actorId));
  }

  /** How many strangers have been notified of a mention by the user since then, up to `max`; also if it was taken back. */
  async countNotifiedStrangers(userId: string, since: Date, max: number): Promise<number> {
    const mentions = { strangerOf: userId, createdAt: { $gte: since } };
    return (await this.rows.find(mentions, { projection: { _id: 1 }, limit: max })).length;
  }

  /** Newest first, also those of actors whom the receiver does not see; with `from` only those made then or later. */
  async list(receiverId: string, { after, limit }: Slice, from?: Date): Promise<NotificationDocument[]> {
    const live = { receiverId, live: true };
    const recent = from && { $gte: from };
    if (!after)
      return this.rows.find({ ...live, ...(recent && { createdAt: recent }) }, { sort: NEWEST_FIRST, limit });
    const createdAt = new Date(after.createdAt);
    const older = { ...live, createdAt: { $lt: createdAt, ...recent } };
    return this.fill(limit, { ...live, createdAt, _id: { $lt: after.id } }, older);
  }

  /**
   * The actors of the user's unread notifications, one for each notification, sorted; also those whom the user does not see.
   * At most MAX_COUNTED.
   */
  async unreadActors(receiverId: string, { first, after }: UnreadFrom): Promise<string[]> {
    const further = first !== undefined ? { $gte: first } : after !== undefined ? { $gt: after } : undefined;
    const unread = await this.rows.find(
      { receiverId, live: true, read: false, ...(further && { actorId: further }) },
      // Without the id, the index alone answers.
      { projection: { actorId: 1, _id: 0 }, sort: { actorId: 1 }, limit: MAX_COUNTED },
    );
    return unread.map(({ actorId }) => actorId);
  }

  /** Marks what stands at `upTo` and below it in the list. Returns how many changed. */
  async markRead(receiverId: string, upTo: Position): Promise<number> {
    const createdAt = new Date(upTo.createdAt);
    const unread = { receiverId, live: true, read: false };
    let marked = 0;
    // Two writes, each in the order of the index: as one `$or` the embedded store could not do them.
    for (const part of [{ createdAt, _id: { $lte: upTo.id } }, { createdAt: { $lt: createdAt } }]) {
      const { modifiedCount } = await this.rows.raw.updateMany(
        { ...unread, ...part },
        { $set: { read: true } },
      );
      marked += modifiedCount;
    }
    return marked;
  }

  /** Removes all of a user who has deleted their account. */
  async erase(receiverId: string): Promise<void> {
    await this.rows.raw.deleteMany({ receiverId });
  }

  /** Removes some notifications that the user got or caused, at most `limit` of each. Returns how many; none when there are no more. */
  async eraseSome(userId: string, limit: number): Promise<number> {
    let erased = 0;
    for (const filter of [{ receiverId: userId }, { actorId: userId }]) {
      const found = await this.rows.find(filter, { projection: { _id: 1 }, limit });
      if (found.length === 0) continue;
      await this.rows.raw.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } });
      erased += found.length;
    }
    return erased;
  }

  /** The first `limit` of the first filter, then of the second. Two reads, for the same reason as in `markRead`. */
  private async fill(
    limit: number,
    ...[first, second]: [mongo.Filter<NotificationDocument>, mongo.Filter<NotificationDocument>]
  ): Promise<NotificationDocument[]> {
    const found = await this.rows.find(first, { sort: NEWEST_FIRST, limit });
    if (found.length === limit) return found;
    const rest = await this.rows.find(second, { sort: NEWEST_FIRST, limit: limit - found.length });
    return [...found, ...rest];
  }
}
