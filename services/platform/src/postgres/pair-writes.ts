import { Injectable } from '@nestjs/common';
import { statement } from './statements.js';
import { type Transaction, Writes } from './writes.js';

/** SQL: takes the lock of the pair that `parameter` names (`pairOf`). */
export const lockOf = (parameter: string) => `pg_advisory_xact_lock(hashtextextended(${parameter}, 0))`;

const LOCK = statement('pair.lock', `SELECT ${lockOf('$1')}`);

/**
 * Serialises all writes of a service between two users, whichever of them writes and whether or not a row exists yet. So
 * nothing begins beside a block, parallel calls make one row, and no version is assigned twice.
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
export async function lockPair(one: string, other: string, transaction: Transaction): Promise<void> {
  await transaction.rows(LOCK, [pairOf(one, other)]);
}

/** The name of a pair's lock, whoever of the two comes first. */
export const pairOf = (one: string, other: string) => (one < other ? `${one}_${other}` : `${other}_${one}`);
