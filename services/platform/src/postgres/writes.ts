import { Injectable } from '@nestjs/common';
import type { Topic } from '@pulso/contracts/topics/topic';
import { DataSource, type EntityManager } from 'typeorm';
import { Commits } from '../events/outbox/commits.js';
import { stageEvents, type Staging } from './postgres-outbox.js';
import { rowsIn, type Statement } from './statements.js';

const DEADLOCK = '40P01';
const ATTEMPTS = 3;

/**
 * One write's transaction. The states that it publishes are committed with it, or not at all. The test suites detect rows
 * of published entities that are written without `publish`: `refuseUnpublishedRows` of the test kit refuses their commit.
 */
export class Transaction {
  /** Run after the commit of the transaction. */
  readonly afterCommit: (() => void)[] = [];

  constructor(
    readonly manager: EntityManager,
    private readonly commits: Commits,
  ) {}

  /** Runs a named statement in this transaction; see `Statements`. */
  async rows<Row>(asked: Statement<Row>, values: readonly unknown[]): Promise<Row[]> {
    return rowsIn(this.manager, asked, values);
  }

  /** Publishes the state that this transaction gives an entity; the caller's next request sees it. */
  publish<T>(topic: Topic<T>, state: T): Promise<void> {
    return this.publishAll(topic, [state]);
  }

  /** Like `publish`, for the states of many entities of one topic: by one statement, which hundreds are worth. */
  publishAll<T>(topic: Topic<T>, states: readonly T[]): Promise<void> {
    return this.publishWith(topic, states);
  }

  /** The same by a statement that also writes the rows; `states` must not be empty. */
  async publishWith<T>(topic: Topic<T>, states: readonly T[], staging?: Staging): Promise<void> {
    await stageEvents(this.manager, topic, states, staging);
    this.afterCommit.push(() => {
      for (const state of states) this.commits.committed(topic, state);
    });
  }

  /** Call it if an entity already has the wanted state: the caller's next request then sees that state too. */
  recordUnchanged<T>(topic: Topic<T>, state: T): void {
    this.afterCommit.push(() => this.commits.recordUnchanged(topic, state));
  }
}

/** Runs every write to PostgreSQL. */
@Injectable()
export class Writes {
  constructor(
    private readonly dataSource: DataSource,
    private readonly commits: Commits,
  ) {}

  /**
   * Runs `work` in a transaction and, after the commit, records its writes and nudges the relay. `work` may run again: the
   * relay deletes outbox rows in a different order, so the two transactions can deadlock.
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
