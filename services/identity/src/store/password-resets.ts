import { Injectable } from '@nestjs/common';
import { newId } from '@pulso/platform/ids/uuid-v7';
import { deleteInBatches } from '@pulso/platform/jobs/delete-in-batches';
import { type Statement, statement, Statements } from '@pulso/platform/postgres/statements';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { DataSource } from 'typeorm';

const HOUR_MS = 60 * 60_000;
/** Mails with a link to a new password that an address gets in an hour (LIMIT-18). */
const MAILS_AN_HOUR = 3;

const ASK: Statement<never> = statement(
  'ask-for-password',
  'INSERT INTO password_resets (id, email, asked_at) VALUES ($1::uuid, $2, $3::timestamptz)',
);
const NEXT = statement<{ email: string }>(
  'next-password-reset',
  'SELECT email FROM password_resets WHERE handled_at IS NULL ORDER BY asked_at, id LIMIT 1',
);

/**
 * Requests for a new password, by address, whether or not there is such an account. Asking is one insert that waits for nothing and
 * looks nothing up, so that it takes the same time for every address (ACCT-10).
 */
@Injectable()
export class PasswordResets {
  constructor(
    private readonly statements: Statements,
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  async ask(email: string): Promise<void> {
    await this.statements.rows(ASK, [newId(), email, new Date(this.clock.now())]);
  }

  /** The address that has waited longest. */
  async next(): Promise<string | undefined> {
    return (await this.statements.row(NEXT, []))?.email;
  }

  /** Ends all requests of an address that wait. Returns whether a mail may go: not beyond the limit, nor where none waits any more. */
  async take(email: string, { manager }: Transaction): Promise<boolean> {
    const now = this.clock.now();
    const [taken] = await manager.query<[{ id: string }[], number]>(
      'UPDATE password_resets SET handled_at = $2 WHERE email = $1 AND handled_at IS NULL RETURNING id',
      [email, new Date(now)],
    );
    if (!taken[0]) return false;
    const [row] = await manager.query<{ count: number }[]>(
      'SELECT count(*)::int AS count FROM password_resets WHERE email = $1 AND counted AND handled_at > $2',
      [email, new Date(now - HOUR_MS)],
    );
    if (row!.count >= MAILS_AN_HOUR) return false;
    await manager.query('UPDATE password_resets SET counted = true WHERE id = $1', [taken[0].id]);
    return true;
  }

  /** Deletes those that count no longer. */
  async purge(stopping: AbortSignal): Promise<void> {
    const old = {
      table: 'password_resets',
      where: 'asked_at <= $1 AND handled_at <= $1',
      oldestBy: 'asked_at',
    };
    await deleteInBatches(
      this.dataSource,
      { ...old, parameters: [new Date(this.clock.now() - HOUR_MS)] },
      stopping,
    );
  }
}
