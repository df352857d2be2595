import { Injectable } from '@nestjs/common';
import { followTopic } from '@pulso/contracts/topics/social';
import { nextVersion } from '@pulso/platform/events/version';
import type { Slice } from '@pulso/platform/paging/list-page';
import { afterParameters } from '@pulso/platform/postgres/after-parameters';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { DataSource, IsNull } from 'typeorm';
import type { ListedRow } from './fill-list.js';
import { Follow, toFollowState } from './follow.entity.js';
import { isShown } from './hidden-users.js';
import { type UserRefRow, userRefColumns } from './user-ref.js';

/** An entry in a list of followers or following: the other user, and when the follow began. */
export type FollowListRow = UserRefRow & ListedRow;

/** The two columns of a follow, as seen from each end. */
const ENDS = {
  followers: { of: 'target_id', other: 'follower_id' },
  following: { of: 'follower_id', other: 'target_id' },
} as const;

export type FollowList = keyof typeof ENDS;

@Injectable()
export class FollowRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** Creates the follow, makes it active or ends it, and publishes that. Requires the pair's lock. */
  async set(
    pair: Pick<Follow, 'followerId' | 'targetId'>,
    active: boolean,
    transaction: Transaction,
  ): Promise<Follow> {
    const follows = transaction.manager.getRepository(Follow);
    const previous = await follows.findOneBy(pair);
    if (previous && (previous.deletedAt === null) === active) {
      transaction.recordUnchanged(followTopic, toFollowState(previous));
      return previous;
    }

    const now = this.clock.now();
    const follow: Follow = {
      ...pair,
      createdAt: active ? now : (previous?.createdAt ?? now),
      deletedAt: active ? null : now,
      version: nextVersion(previous?.version, this.clock),
    };
    await follows.upsert(follow, ['followerId', 'targetId']);
    await transaction.publish(followTopic, toFollowState(follow));
    return follow;
  }

  /** Ends the active follows between two users, in both directions. Requires the pair's lock. */
  async endBetween(one: string, other: string, transaction: Transaction): Promise<void> {
    for (const [followerId, targetId] of [
      [one, other],
      [other, one],
    ] as const) {
      const pair = { followerId, targetId };
      const active = await transaction.manager
        .getRepository(Follow)
        .existsBy({ ...pair, deletedAt: IsNull() });
      if (active) await this.set(pair, false, transaction);
    }
  }

  /** Latest first. Users who are gone, or separated from the viewer by a block, are not `shown`. */
  async list(
    list: FollowList,
    userId: string,
    viewerId: string | null,
    slice: Slice,
  ): Promise<FollowListRow[]> {
    const { of, other } = ENDS[list];
    return this.dataSource.query<FollowListRow[]>(
      `SELECT f.id, f.created_at AS "createdAt", ${userRefColumns('u')}, ${isShown('f.id', '$4')} AS shown
       FROM (
         SELECT ${other} AS id, created_at FROM follows
         WHERE ${of} = $1 AND deleted_at IS NULL AND (created_at, ${other}) < ($2, $3::uuid)
         ORDER BY created_at DESC, ${other} DESC LIMIT $5
       ) f LEFT JOIN known_users u ON u.id = f.id
       ORDER BY f.created_at DESC, f.id DESC`,
      [userId, ...afterParameters(slice), viewerId, slice.limit],
    );
  }
}
