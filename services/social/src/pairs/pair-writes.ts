import { Injectable } from '@nestjs/common';
import { type Transaction, Writes } from '@pulso/platform/postgres/writes';

/**
 * Everything written between two users happens one after the other, whichever of them writes and whether or not a row
 * exists yet: so no follow slips past a block, and no version is given twice.
 */
@Injectable()
export class PairWrites {
  constructor(private readonly writes: Writes) {}

  /** As `Writes.run`, under the pair's lock. */
  run<T>(one: string, other: string, work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.writes.run(async (transaction) => {
      await lockPair(one, other, transaction);
      return work(transaction);
    });
  }
}

/** Held until the transaction ends. One that takes two pairs' locks could deadlock: take one only. */
async function lockPair(one: string, other: string, { manager }: Transaction): Promise<void> {
  const pair = one < other ? `${one}_${other}` : `${other}_${one}`;
  await manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [pair]);
}
