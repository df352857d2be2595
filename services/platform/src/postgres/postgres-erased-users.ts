import type { ErasedUserState } from '@pulso/contracts/common/v1/events';
import type { ErasureState } from '@pulso/contracts/identity/v1/events';
import type { Topic } from '@pulso/contracts/topics/topic';
import type { DataSource } from 'typeorm';
import { type DueErasure, ErasedUsers, SECOND_LOOK_MS } from '../erasure/erased-users.js';
import { nextVersion } from '../events/version.js';
import type { Clock } from '../time/clock.js';
import { PostgresMarks } from './postgres-marks.js';
import { statement, type Statements } from './statements.js';
import type { Transaction, Writes } from './writes.js';

const MARK = statement<{ version: string }>(
  'erased-users.mark',
  `INSERT INTO erased_users AS known (user_id, asked, due_at, version) VALUES ($1, $2, $3, $4)
   ON CONFLICT (user_id) DO UPDATE SET asked = excluded.asked, due_at = excluded.due_at, looks = 0, erased_at = NULL,
     version = greatest(known.version + 1, excluded.version)
     WHERE known.asked < excluded.asked
   RETURNING version`,
);

const CLAIM = statement<{ userId: string; asked: string }>(
  'erased-users.claim',
  `UPDATE erased_users SET due_at = $2 WHERE user_id = (
     SELECT user_id FROM erased_users WHERE due_at <= $1 ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
   RETURNING user_id AS "userId", asked`,
);

/** Only the first look has news for others. */
const ERASED = statement<{ version: string; looks: number; erasedAt: Date }>(
  'erased-users.erased',
  `UPDATE erased_users SET looks = looks + 1, erased_at = coalesce(erased_at, $3::timestamptz),
     due_at = CASE WHEN looks = 0 THEN $4::timestamptz END,
     version = CASE WHEN looks = 0 THEN greatest(version + 1, $5::bigint) ELSE version END
   WHERE user_id = $1 AND asked = $2 AND looks < 2
   RETURNING version, looks, erased_at AS "erasedAt"`,
);

const POSTPONE = statement(
  'erased-users.postpone',
  'UPDATE erased_users SET due_at = $3 WHERE user_id = $1 AND asked = $2',
);

const VERSION = statement<{ asked: string }>(
  'erased-users.version',
  'SELECT asked FROM erased_users WHERE user_id = $1',
);

export interface ErasedUsersParts {
  dataSource: DataSource;
  statements: Statements;
  writes: Writes;
  clock: Clock;
}

/** `ErasedUsers` in the table `erased_users`, acknowledged on `acknowledges`. */
export class PostgresErasedUsers extends ErasedUsers {
  private readonly marks: PostgresMarks;

  constructor(
    private readonly acknowledges: Topic<ErasedUserState>,
    private readonly parts: ErasedUsersParts,
  ) {
    super();
    this.marks = new PostgresMarks(parts.dataSource, 'erased_users');
  }

  every() {
    return this.marks.every();
  }

  since(markedAt: Date) {
    return this.marks.since(markedAt);
  }

  async apply({ userId, version: asked }: ErasureState): Promise<boolean> {
    const { clock, writes } = this.parts;
    await writes.run(async (transaction) => {
      const now = new Date(clock.now());
      const [marked] = await transaction.rows(MARK, [userId, asked, now, nextVersion(undefined, clock)]);
      if (marked) await this.acknowledge(userId, marked.version, undefined, transaction);
    });
    this.noteMarked(userId);
    return true;
  }

  async versionOf(userId: string): Promise<number | undefined> {
    const row = await this.parts.statements.row(VERSION, [userId]);
    return row && Number(row.asked);
  }

  async claim(leaseMs: number): Promise<DueErasure | undefined> {
    const now = this.parts.clock.now();
    const row = await this.parts.statements.row(CLAIM, [new Date(now), new Date(now + leaseMs)]);
    return row && { userId: row.userId, asked: Number(row.asked) };
  }

  async erased({ userId, asked }: DueErasure): Promise<void> {
    const { clock, writes } = this.parts;
    await writes.run(async (transaction) => {
      const now = clock.now();
      const again = new Date(now + SECOND_LOOK_MS);
      const values = [userId, asked, new Date(now), again, nextVersion(undefined, clock)];
      const [done] = await transaction.rows(ERASED, values);
      if (done?.looks === 1) await this.acknowledge(userId, done.version, done.erasedAt, transaction);
    });
  }

  async postpone({ userId, asked }: DueErasure, delayMs: number): Promise<void> {
    const { clock, statements } = this.parts;
    await statements.rows(POSTPONE, [userId, asked, new Date(clock.now() + delayMs)]);
  }

  private acknowledge(
    userId: string,
    version: string,
    erasedAt: Date | undefined,
    transaction: Transaction,
  ): Promise<void> {
    const state = { userId, version: Number(version), erasedAt: erasedAt?.getTime() };
    return transaction.publish(this.acknowledges, state);
  }
}
