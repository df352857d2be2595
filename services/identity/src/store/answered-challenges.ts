import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { deleteInBatches } from '@pulso/platform/jobs/delete-in-batches';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { Clock } from '@pulso/platform/time/clock';
import { DataSource } from 'typeorm';

/**
 * The challenges of passkeys that were answered: each one is answered once. Those that were given out are stored nowhere, so that a
 * page that asks for one costs no write.
 */
@Injectable()
export class AnsweredChallenges {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** Returns false where it was answered already, also by a request at the same time. It is kept until `expiresAt`. */
  async spend(challenge: string, expiresAt: number, { manager }: Transaction): Promise<boolean> {
    const rows = await manager.query<unknown[]>(
      `INSERT INTO answered_challenges (hash, expires_at) VALUES ($1, $2)
       ON CONFLICT (hash) DO NOTHING RETURNING hash`,
      [createHash('sha256').update(challenge).digest(), new Date(expiresAt)],
    );
    return rows.length > 0;
  }

  /** Deletes those that nobody can answer any more. */
  async purge(stopping: AbortSignal): Promise<void> {
    const expired = { table: 'answered_challenges', where: 'expires_at <= $1', oldestBy: 'expires_at' };
    await deleteInBatches(
      this.dataSource,
      { ...expired, parameters: [new Date(this.clock.now())] },
      stopping,
    );
  }
}
