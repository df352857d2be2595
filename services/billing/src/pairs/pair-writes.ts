import { Injectable } from '@nestjs/common';
import { type Transaction, Writes } from '@pulso/platform/postgres/writes';

/**
 * Serialises all writes between two users, whether or not a row exists yet. So no subscription can begin beside a block,
 * and parallel calls make one row.
 */
@Injectable()
export class PairWrites {
  constructor(private readonly writes: Writes) {}

  /** Like `Writes.run`, under the pair's lock. */
  run<T>(one: string, other: string, work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.writes.run(async (transaction) => {
      await lockPair(one, other, transaction);
      return work(transaction);
    });
  }
}

/** The lock is held until the transaction ends. A transaction takes one pair's lock only: two could deadlock. */
export async function lockPair(one: string, other: string, { manager }: Transaction): Promise<void> {
  const pair = one < other ? `${one}_${other}` : `${other}_${one}`;
  await manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [pair]);
}
