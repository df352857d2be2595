import { Injectable } from '@nestjs/common';
import type { Topic } from '@pulso/contracts/topics/topic';
import { DataSource, type EntityManager } from 'typeorm';
import { Commits } from '../events/commits.js';
import { stageEvent } from './postgres-outbox.js';

const DEADLOCK = '40P01';
const ATTEMPTS = 3;

/**
 * One write's transaction. What it publishes is committed with it, or not at all. A row of a published entity that is
 * written without `publish` is found by the suites: `publishedRowsAreTold` of the test kit refuses its commit.
 */
export class Transaction {
  /** Each is run once the transaction is committed. */
  readonly afterCommit: (() => void)[] = [];

  constructor(
    readonly manager: EntityManager,
    private readonly commits: Commits,
  ) {}

  /** Publishes the state that this transaction gives an entity; the caller's next request sees it. */
  async publish<T>(topic: Topic<T>, state: T): Promise<void> {
    await stageEvent(this.manager, topic, state);
    this.afterCommit.push(() => this.commits.committed(topic, state));
  }

  /** Says that an entity is in the wanted state already; the caller's next request sees it, too. */
  stands<T>(topic: Topic<T>, state: T): void {
    this.afterCommit.push(() => this.commits.stands(topic, state));
  }
}

/** The way every write to PostgreSQL takes. */
@Injectable()
export class Writes {
  constructor(
    private readonly dataSource: DataSource,
    private readonly commits: Commits,
  ) {}

  /**
   * Runs `work` in a transaction and tells of what it published once that is committed. `work` may run again: the relay
   * deletes outbox rows in an order of its own, so that two transactions can deadlock.
   */
  async run<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const { result, afterCommit } = await this.dataSource.transaction(async (manager) => {
          const transaction = new Transaction(manager, this.commits);
          return { result: await work(transaction), afterCommit: transaction.afterCommit };
        });
        for (const tell of afterCommit) tell();
        return result;
      } catch (error) {
        if ((error as { code?: unknown }).code !== DEADLOCK || attempt === ATTEMPTS) throw error;
      }
    }
  }
}
