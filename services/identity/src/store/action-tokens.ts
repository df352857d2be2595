import { Injectable } from '@nestjs/common';
import { deleteInBatches } from '@pulso/platform/jobs/delete-in-batches';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { DataSource, type EntityManager } from 'typeorm';
import type { ActionKind } from './action-token.js';

const HOUR_MS = 60 * 60_000;
const LIFE_MS: Readonly<Record<ActionKind, number>> = {
  'verify-email': 24 * HOUR_MS,
  'reset-password': HOUR_MS,
};

/** Whose a token is, and where it was sent to. */
export interface ActionToken {
  userId: string;
  email: string;
}

/**
 * The tokens of mailed links, stored as hashes (ACCT-41). A user has one live token of each kind: a new one takes the place of the
 * one before. Lock the user's row before you write.
 */
@Injectable()
export class ActionTokens {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  async put(
    kind: ActionKind,
    { userId, email, hash }: ActionToken & { hash: Buffer },
    { manager }: Transaction,
  ): Promise<void> {
    await manager.query(
      `INSERT INTO action_tokens (user_id, kind, hash, email, expires_at) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (user_id, kind) DO UPDATE SET hash = excluded.hash, email = excluded.email,
         expires_at = excluded.expires_at`,
      [userId, kind, hash, email, new Date(this.clock.now() + LIFE_MS[kind])],
    );
  }

  /** A token that is live, which it may be no longer when the caller has read this. */
  async find(
    kind: ActionKind,
    hash: Buffer,
    { manager }: { manager: EntityManager } = this.dataSource,
  ): Promise<ActionToken | undefined> {
    const [row] = await manager.query<ActionToken[]>(
      `SELECT user_id AS "userId", email FROM action_tokens WHERE hash = $1 AND kind = $2 AND expires_at > $3`,
      [hash, kind, new Date(this.clock.now())],
    );
    return row;
  }

  /** Takes the token of a user away. Of several requests with one token, one gets it; undefined for the others. */
  async spend(
    kind: ActionKind,
    { userId, hash }: { userId: string; hash: Buffer },
    { manager }: Transaction,
  ): Promise<ActionToken | undefined> {
    const [rows] = await manager.query<[ActionToken[], number]>(
      `DELETE FROM action_tokens WHERE user_id = $1 AND kind = $2 AND hash = $3 AND expires_at > $4
       RETURNING user_id AS "userId", email`,
      [userId, kind, hash, new Date(this.clock.now())],
    );
    return rows[0];
  }

  async remove(kind: ActionKind, userId: string, { manager }: Transaction): Promise<void> {
    await manager.query('DELETE FROM action_tokens WHERE user_id = $1 AND kind = $2', [userId, kind]);
  }

  /** Deletes those that have expired. */
  async purge(stopping: AbortSignal): Promise<void> {
    const expired = { table: 'action_tokens', where: 'expires_at <= $1', oldestBy: 'expires_at' };
    await deleteInBatches(
      this.dataSource,
      { ...expired, parameters: [new Date(this.clock.now())] },
      stopping,
    );
  }
}
