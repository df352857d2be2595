import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { DATA_SOURCE } from './data-source.js';

const DEADLOCK = '40P01';
const ATTEMPTS = 3;

/**
 * Everything written between two users happens one after the other, whichever of them writes and whether or not a row
 * exists yet: so no follow slips past a block, and no version is given twice.
 */
@Injectable()
export class PairTransactions {
  constructor(@InjectDataSource(DATA_SOURCE) private readonly dataSource: DataSource) {}

  /** `work` may run again: the relay deletes outbox rows in an order of its own, so two can deadlock. */
  async run<T>(one: string, other: string, work: (transaction: EntityManager) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.dataSource.transaction(async (transaction) => {
          await lockPair(one, other, transaction);
          return work(transaction);
        });
      } catch (error) {
        if ((error as { code?: unknown }).code !== DEADLOCK || attempt === ATTEMPTS) throw error;
      }
    }
  }
}

/** Held until the transaction ends. One that takes two pairs' locks could deadlock: take one only. */
async function lockPair(one: string, other: string, transaction: EntityManager): Promise<void> {
  const pair = one < other ? `${one}_${other}` : `${other}_${one}`;
  await transaction.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [pair]);
}
