import { Injectable } from '@nestjs/common';
import type { ErasedUserState } from '@pulso/contracts/common/v1/events';
import { billingErasureTopic } from '@pulso/contracts/topics/billing';
import { erasureTopic } from '@pulso/contracts/topics/identity';
import { mediaErasureTopic } from '@pulso/contracts/topics/media';
import { messagingErasureTopic } from '@pulso/contracts/topics/messaging';
import { postsErasureTopic } from '@pulso/contracts/topics/posts';
import { socialErasureTopic } from '@pulso/contracts/topics/social';
import { ownerOf } from '@pulso/contracts/topics/topic';
import { nextVersion } from '@pulso/platform/events/version';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { DataSource, IsNull } from 'typeorm';
import { Erasure, toErasureState } from './erasure.entity.js';

/** Who has to acknowledge an erasure before it is complete (ACCT-34). */
export const ACKNOWLEDGING: readonly string[] = [
  billingErasureTopic,
  mediaErasureTopic,
  messagingErasureTopic,
  postsErasureTopic,
  socialErasureTopic,
].map(ownerOf);

/** An erasure as operators see it. */
export interface ShownErasure {
  userId: string;
  requestedAt: Date;
  completedAt: Date | null;
  /** The services that have not acknowledged it, by their names. */
  missing: readonly string[];
}

/** Accounts that are erased, and who has acknowledged that. */
@Injectable()
export class ErasureRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** Asks all services. */
  async begin(userId: string, transaction: Transaction): Promise<void> {
    const version = nextVersion(undefined, this.clock);
    const erasure: Erasure = { userId, requestedAt: this.clock.now(), completedAt: null, version };
    await transaction.manager.getRepository(Erasure).insert(erasure);
    await transaction.publish(erasureTopic, toErasureState(erasure));
  }

  /** The erasure of a user, locked; null where there is none. */
  lock(userId: string, { manager }: Transaction): Promise<Erasure | null> {
    return manager.getRepository(Erasure).findOne({ where: { userId }, lock: { mode: 'for_no_key_update' } });
  }

  /** Asks all services again: it is open until all have acknowledged this. The erasure must be locked. */
  async askAgain(erasure: Erasure, transaction: Transaction): Promise<void> {
    const asked = { ...erasure, completedAt: null, version: nextVersion(erasure.version, this.clock) };
    const { userId, completedAt, version } = asked;
    await transaction.manager.getRepository(Erasure).update({ userId }, { completedAt, version });
    await transaction.manager.query(
      'UPDATE erasure_acknowledgements SET erased_at = NULL WHERE user_id = $1',
      [userId],
    );
    await transaction.publish(erasureTopic, toErasureState(asked));
  }

  /**
   * Stores what a service has done, unless something newer is known of it. What it has erased before it was asked for the present
   * erasure does not count.
   */
  async acknowledge(
    service: string,
    state: ErasedUserState,
    erasure: Erasure | null,
    { manager }: Transaction,
  ): Promise<void> {
    const { userId, version } = state;
    const erasedAt = state.asked === erasure?.version ? state.erasedAt : undefined;
    await manager.query(
      `INSERT INTO erasure_acknowledgements AS known (user_id, service, version, erased_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT (user_id, service) DO UPDATE SET version = excluded.version, erased_at = excluded.erased_at
         WHERE known.version < excluded.version`,
      [userId, service, version, erasedAt === undefined ? null : new Date(erasedAt)],
    );
  }

  /** The version that is known of what a service has done about a user. */
  async acknowledgedVersion(service: string, userId: string): Promise<number | undefined> {
    const [row] = await this.dataSource.query<{ version: string }[]>(
      'SELECT version FROM erasure_acknowledgements WHERE user_id = $1 AND service = $2',
      [userId, service],
    );
    return row && Number(row.version);
  }

  /** Whether all services have erased what they held. The erasure must be locked: two acknowledgements at a time do not see each other. */
  async isAcknowledged(userId: string, { manager }: Transaction): Promise<boolean> {
    const rows = await manager.query<{ service: string }[]>(
      'SELECT service FROM erasure_acknowledgements WHERE user_id = $1 AND erased_at IS NOT NULL',
      [userId],
    );
    const acknowledged = new Set(rows.map(({ service }) => service));
    return ACKNOWLEDGING.every((service) => acknowledged.has(service));
  }

  /** Nothing is to be done any more. */
  async complete(userId: string, { manager }: Transaction): Promise<void> {
    await manager
      .getRepository(Erasure)
      .update({ userId, completedAt: IsNull() }, { completedAt: this.clock.now() });
  }

  /** Oldest first: those that are not complete, or one user's. */
  async list({ userId, limit }: { userId?: string; limit: number }): Promise<ShownErasure[]> {
    const rows = await this.dataSource.query<(Omit<ShownErasure, 'missing'> & { acknowledged: string[] })[]>(
      `SELECT user_id AS "userId", requested_at AS "requestedAt", completed_at AS "completedAt", ARRAY(
         SELECT service FROM erasure_acknowledgements a
         WHERE a.user_id = erasures.user_id AND erased_at IS NOT NULL) AS acknowledged
       FROM erasures WHERE CASE WHEN $1::uuid IS NULL THEN completed_at IS NULL ELSE user_id = $1 END
       ORDER BY requested_at, user_id LIMIT $2`,
      [userId ?? null, limit],
    );
    return rows.map(({ acknowledged, ...erasure }) => ({
      ...erasure,
      missing: ACKNOWLEDGING.filter((service) => !acknowledged.includes(service)),
    }));
  }

  /**
   * How many wait for each service, and how long ago the first of these was asked for, in ms; nothing where none waits. A version is the
   * microsecond in which it was asked for, the last time.
   */
  async waiting(): Promise<{ service: string; count: number; oldestMs: number }[]> {
    const rows = await this.dataSource.query<{ service: string; count: number; oldestMs: number }[]>(
      `SELECT service, count(*)::int AS count, (min(version) / 1000)::float8 AS "oldestMs"
       FROM erasures CROSS JOIN unnest($1::text[]) AS asked (service)
       WHERE completed_at IS NULL AND NOT EXISTS (
         SELECT FROM erasure_acknowledgements a
         WHERE a.user_id = erasures.user_id AND a.service = asked.service AND erased_at IS NOT NULL)
       GROUP BY service`,
      [ACKNOWLEDGING],
    );
    const now = this.clock.now();
    return rows.map(({ oldestMs, ...row }) => ({ ...row, oldestMs: now - oldestMs }));
  }
}
