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

const CLAIM = statement<{ userId: string; asked: string; looks: number }>(
  'erased-users.claim',
  `UPDATE erased_users SET due_at = $2 WHERE user_id = (
     SELECT user_id FROM erased_users WHERE due_at <= $1 ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
   RETURNING user_id AS "userId", asked, looks`,
);

/** Whether the claim of `$1` to `$4` is the present one. */
const IS_CLAIMED = 'user_id = $1 AND asked = $2 AND looks = $3 AND due_at = $4::timestamptz';

/** Only the first look has news for others. */
const ERASED = statement<{ version: string; looks: number; erasedAt: Date }>(
  'erased-users.erased',
  `UPDATE erased_users SET looks = looks + 1, erased_at = coalesce(erased_at, $5::timestamptz),
     due_at = CASE WHEN looks = 0 THEN $6::timestamptz END,
     version = CASE WHEN looks = 0 THEN greatest(version + 1, $7::bigint) ELSE version END
   WHERE ${IS_CLAIMED}
   RETURNING version, looks, erased_at AS "erasedAt"`,
);

const DUE_AT = statement<{ dueAt: Date }>(
  'erased-users.due-at',
  `UPDATE erased_users SET due_at = $5 WHERE ${IS_CLAIMED} RETURNING due_at AS "dueAt"`,
);

const VERSION = statement<{ asked: string }>(
  'erased-users.version',
  'SELECT asked FROM erased_users WHERE user_id = $1',
);

const claimOf = ({ userId, asked, looks, claimedUntil }: DueErasure) =>
  [userId, asked, looks, new Date(claimedUntil)] as const;

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
      if (marked) await this.acknowledge({ userId, asked }, marked.version, undefined, transaction);
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
    return row && { ...row, asked: Number(row.asked), claimedUntil: now + leaseMs };
  }

  async renew(erasure: DueErasure, leaseMs: number): Promise<DueErasure | undefined> {
    const { clock, statements } = this.parts;
    const row = await statements.row(DUE_AT, [...claimOf(erasure), new Date(clock.now() + leaseMs)]);
    return row && { ...erasure, claimedUntil: row.dueAt.getTime() };
  }

  async erased(erasure: DueErasure): Promise<void> {
    const { clock, writes } = this.parts;
    await writes.run(async (transaction) => {
      const now = clock.now();
      const again = new Date(now + SECOND_LOOK_MS);
      const values = [...claimOf(erasure), new Date(now), again, nextVersion(undefined, clock)];
      const [done] = await transaction.rows(ERASED, values);
      if (done?.looks === 1) await this.acknowledge(erasure, done.version, done.erasedAt, transaction);
    });
  }

  async postpone(erasure: DueErasure, delayMs: number): Promise<void> {
    const { clock, statements } = this.parts;
    await statements.rows(DUE_AT, [...claimOf(erasure), new Date(clock.now() + delayMs)]);
  }

  private acknowledge(
    { userId, asked }: Pick<DueErasure, 'userId' | 'asked'>,
    version: string,
    erasedAt: Date | undefined,
    transaction: Transaction,
  ): Promise<void> {
    const state = { userId, version: Number(version), asked, erasedAt: erasedAt?.getTime() };
    return transaction.publish(this.acknowledges, state);
  }
}
