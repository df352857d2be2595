import { Injectable } from '@nestjs/common';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { DataSource } from 'typeorm';
import { FORMER_USERNAME_MS, type FormerUsername, HELD_UNTIL } from './former-username.js';

/** Which user holds which username, now or within the last 90 days. */
@Injectable()
export class UsernameRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** The user with the current or, within 90 days, former name `username`. */
  async ownerOf(username: string): Promise<string | undefined> {
    const rows = await this.dataSource.query<{ user_id: string }[]>(
      'SELECT user_id FROM usernames WHERE username = $1 AND (given_up_at IS NULL OR given_up_at > $2)',
      [username, this.cutoff()],
    );
    return rows[0]?.user_id;
  }

  /** Those of `usernames` that a user holds, now or within 90 days. */
  async heldOf(usernames: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.dataSource.query<{ username: string }[]>(
      'SELECT username FROM usernames WHERE username = ANY($1) AND (given_up_at IS NULL OR given_up_at > $2)',
      [usernames, this.cutoff()],
    );
    return new Set(rows.map(({ username }) => username));
  }

  /**
   * Makes `username` a name of `userId`. Returns false when another user holds it; waits for concurrent claims of it.
   * Claim the new name before giving up the old one: otherwise two users who swap names would deadlock.
   */
  async claim(username: string, userId: string, { manager }: Transaction): Promise<boolean> {
    const rows = await manager.query<unknown[]>(
      `INSERT INTO usernames (username, user_id) VALUES ($1, $2)
       ON CONFLICT (username) DO UPDATE SET user_id = excluded.user_id, given_up_at = NULL
         WHERE usernames.given_up_at <= $3
            OR (usernames.given_up_at IS NOT NULL AND usernames.user_id = excluded.user_id)
       RETURNING username`,
      [username, userId, this.cutoff()],
    );
    return rows.length > 0;
  }

  /** Starts the 90 days of all current names of `userId` except `kept`. The user's row must be locked. */
  async giveUpAllBut(kept: string, userId: string, { manager }: Transaction): Promise<void> {
    await manager.query(
      'UPDATE usernames SET given_up_at = $3 WHERE user_id = $1 AND username <> $2 AND given_up_at IS NULL',
      [userId, kept, new Date(this.clock.now())],
    );
  }

  /** The names that `userId` has given up and nobody else can take yet, the latest first. */
  async former(userId: string, { manager }: Transaction): Promise<FormerUsername[]> {
    const rows = await manager.query<{ username: string; until: string }[]>(
      `SELECT username, ${HELD_UNTIL} AS until FROM usernames WHERE user_id = $1 AND given_up_at > $2
       ORDER BY given_up_at DESC, username`,
      [userId, this.cutoff()],
    );
    return rows.map(({ username, until }) => ({ username, until: Number(until) }));
  }

  /** Notes that `userId` is renamed now and returns how often that has been since `since`, this time included. */
  async noteRename(userId: string, since: number, { manager }: Transaction): Promise<number> {
    await manager.query('DELETE FROM renames WHERE user_id = $1 AND renamed_at <= $2', [
      userId,
      new Date(since),
    ]);
    await manager.query('INSERT INTO renames (user_id, renamed_at) VALUES ($1, $2)', [
      userId,
      new Date(this.clock.now()),
    ]);
    const [row] = await manager.query<{ count: number }[]>(
      'SELECT count(*)::int AS count FROM renames WHERE user_id = $1',
      [userId],
    );
    return row!.count;
  }

  private cutoff(): Date {
    return new Date(this.clock.now() - FORMER_USERNAME_MS);
  }
}
