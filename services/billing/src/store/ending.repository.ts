import { Injectable } from '@nestjs/common';
import { statement } from '@pulso/platform/postgres/statements';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { DataSource } from 'typeorm';
import type { Ending } from './ending.js';
import { Subscription } from './subscription.entity.js';

const COLUMN_OF = { coach: 'coach_id', subscriber: 'user_id' } as const;

const LOCK_NEXT = statement<Omit<Ending, 'upTo'> & { upTo: string }>(
  'endings.lock-next',
  `SELECT side, user_id AS "userId", reason, up_to AS "upTo" FROM endings
   ORDER BY up_to LIMIT 1 FOR UPDATE SKIP LOCKED`,
);

/** Endings that wait to be worked off. */
@Injectable()
export class EndingRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /**
   * Orders the end of what has begun so far, if there is any. Requires the lock of the user's row in `known_users`: nothing
   * begins meanwhile. Returns whether there is work.
   */
  async order({ side, reason, userId }: Omit<Ending, 'upTo'>, { manager }: Transaction): Promise<boolean> {
    const ordered = await manager.query<unknown[]>(
      `INSERT INTO endings AS known (side, user_id, reason, up_to, created_at)
       SELECT $1, $2::uuid, $3, nextval('subscription_beginnings'), $4::timestamptz
       WHERE EXISTS (SELECT FROM subscriptions s WHERE s.${COLUMN_OF[side]} = $2::uuid AND ${remains(reason)})
       ON CONFLICT (user_id, side, reason) DO UPDATE SET up_to = excluded.up_to
       RETURNING 1`,
      [side, userId, reason, new Date(this.clock.now())],
    );
    return ordered.length > 0;
  }

  /** The oldest ending that no other process works on, locked. */
  async lockNext(transaction: Transaction): Promise<Ending | undefined> {
    const [row] = await transaction.rows(LOCK_NEXT, []);
    return row && { ...row, upTo: Number(row.upTo) };
  }

  /** Up to `limit` subscriptions that the ending concerns, locked; fewer when there are no more. */
  lockConcerned(
    { side, userId, reason, upTo }: Ending,
    limit: number,
    { manager }: Transaction,
  ): Promise<Subscription[]> {
    return manager
      .getRepository(Subscription)
      .createQueryBuilder('s')
      .where(`s.${COLUMN_OF[side]} = :userId AND s.begun < :upTo AND ${remains(reason)}`, { userId, upTo })
      .orderBy('s.begun')
      .limit(limit)
      .setLock('pessimistic_write')
      .getMany();
  }

  async remove({ side, userId, reason }: Ending, { manager }: Transaction): Promise<void> {
    await manager.query('DELETE FROM endings WHERE side = $1 AND user_id = $2 AND reason = $3', [
      side,
      userId,
      reason,
    ]);
  }

  async waiting(): Promise<number> {
    const [row] = await this.dataSource.query<{ count: number }[]>(
      'SELECT count(*)::int AS count FROM endings',
    );
    return row!.count;
  }

  list(userId: string): Promise<{ side: string; reason: string; createdAt: Date }[]> {
    return this.dataSource.query(
      'SELECT side, reason, created_at AS "createdAt" FROM endings WHERE user_id = $1 ORDER BY created_at',
      [userId],
    );
  }
}

/** SQL: the row `s` is one that an ending for this reason still has to change. */
const remains = (reason: Ending['reason']) =>
  reason === 'coach-stopped'
    ? "s.gives_access AND s.status <> 'cancelled' AND NOT s.cancel_at_period_end"
    : 's.gives_access';
