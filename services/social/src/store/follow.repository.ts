import { Injectable } from '@nestjs/common';
import { followTopic } from '@pulso/contracts/topics/social';
import { nextVersion } from '@pulso/platform/events/version';
import type { Slice } from '@pulso/platform/paging/list-page';
import { afterParameters } from '@pulso/platform/postgres/after-parameters';
import { type Statement, statement, Statements } from '@pulso/platform/postgres/statements';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { figuresOf } from './figures.repository.js';
import type { ListedRow } from './fill-list.js';
import type { Follow } from './follow.entity.js';
import { isShown } from './hidden-users.js';
import { type UserRefRow, userRefColumns } from './user-ref.js';

/** An entry in a list of followers or following: the other user, and when the follow began. */
export type FollowListRow = UserRefRow & ListedRow;

export type FollowList = 'followers' | 'following';

type FollowPair = Pick<Follow, 'followerId' | 'targetId'>;

const BLOCKED = `EXISTS (
  SELECT FROM blocks WHERE deleted_at IS NULL AND (blocker_id, blocked_id) IN (($1::uuid, $2::uuid), ($2::uuid, $1::uuid)))`;

/** SQL: how many follow the target as the statement finds it. */
const FOLLOWERS = `(SELECT "followerCount" FROM ${figuresOf('$2::uuid')} AS figures)`;

/**
 * Returns nothing where the follow is as it should be, or a block forbids the change. `followers` are those before the change;
 * `isNew`: there was no row of the two.
 */
const SET = statement<{ version: string; followers: number; isNew: boolean }>(
  'follows.set',
  `INSERT INTO follows AS kept (follower_id, target_id, created_at, deleted_at, version)
   SELECT $1::uuid, $2::uuid, $4::timestamptz, CASE WHEN NOT $3::boolean THEN $4::timestamptz END, $5::bigint
   WHERE NOT ${BLOCKED}
   ON CONFLICT (follower_id, target_id) DO UPDATE
     SET created_at = CASE WHEN $3::boolean THEN excluded.created_at ELSE kept.created_at END,
       deleted_at = excluded.deleted_at, version = greatest(kept.version + 1, excluded.version)
     WHERE (kept.deleted_at IS NULL) <> $3::boolean
   RETURNING version, xmax = 0 AS "isNew", ${FOLLOWERS} AS followers`,
);

const FIND = statement<{ blocked: boolean; version: string; followers: number }>(
  'follows.find',
  `SELECT ${BLOCKED} AS blocked, (SELECT version FROM follows WHERE follower_id = $1::uuid AND target_id = $2::uuid),
     ${FOLLOWERS} AS followers`,
);

const END_BETWEEN = statement<FollowPair & { version: string }>(
  'follows.end-between',
  `UPDATE follows SET deleted_at = $3::timestamptz, version = greatest(version + 1, $4::bigint)
   WHERE deleted_at IS NULL AND (follower_id, target_id) IN (($1::uuid, $2::uuid), ($2::uuid, $1::uuid))
   RETURNING follower_id AS "followerId", target_id AS "targetId", version`,
);

const listOf = (list: FollowList, { of, other }: { of: string; other: string }) =>
  statement<FollowListRow>(
    `follows.list-${list}`,
    `SELECT f.id, f.created_at AS "createdAt", ${userRefColumns('u')}, ${isShown('f.id', '$4')} AS shown
     FROM (
       SELECT ${other} AS id, created_at FROM follows
       WHERE ${of} = $1 AND deleted_at IS NULL AND (created_at, ${other}) < ($2, $3::uuid)
       ORDER BY created_at DESC, ${other} DESC LIMIT $5
     ) f LEFT JOIN known_users u ON u.id = f.id
     ORDER BY f.created_at DESC, f.id DESC`,
  );

const LISTS: Readonly<Record<FollowList, Statement<FollowListRow>>> = {
  followers: listOf('followers', { of: 'target_id', other: 'follower_id' }),
  following: listOf('following', { of: 'follower_id', other: 'target_id' }),
};

@Injectable()
export class FollowRepository {
  constructor(
    private readonly statements: Statements,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates the follow, makes it active or ends it, and publishes that. Returns how many follow the target then, or undefined,
   * and changes nothing, where a block is between the two. Requires the pair's lock.
   */
  async set(pair: FollowPair, active: boolean, transaction: Transaction): Promise<number | undefined> {
    const { followerId, targetId } = pair;
    const now = this.clock.now();
    const change = [followerId, targetId, active, new Date(now), nextVersion(undefined, this.clock)];
    const [changed] = await transaction.rows(SET, change);
    if (changed) {
      const { version, followers, isNew } = changed;
      await transaction.publish(followTopic, { ...pair, version: Number(version), active });
      if (active) return followers + 1;
      return isNew ? followers : followers - 1;
    }
    const [kept] = await transaction.rows(FIND, [followerId, targetId]);
    if (kept!.blocked) return undefined;
    transaction.recordUnchanged(followTopic, { ...pair, version: Number(kept!.version), active });
    return kept!.followers;
  }

  /** Ends the active follows between two users, in both directions. Requires the pair's lock. */
  async endBetween(one: string, other: string, transaction: Transaction): Promise<void> {
    const now = new Date(this.clock.now());
    const ended = await transaction.rows(END_BETWEEN, [one, other, now, nextVersion(undefined, this.clock)]);
    const states = ended.map(({ version, ...pair }) => ({
      ...pair,
      version: Number(version),
      active: false,
    }));
    if (states.length > 0) await transaction.publishAll(followTopic, states);
  }

  /** Latest first. Users who are gone, or separated from the viewer by a block, are not `shown`. */
  async list(
    list: FollowList,
    userId: string,
    viewerId: string | null,
    slice: Slice,
  ): Promise<FollowListRow[]> {
    const values = [userId, ...afterParameters(slice), viewerId, slice.limit];
    return this.statements.rows(LISTS[list], values);
  }
}
