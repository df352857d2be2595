import { Injectable } from '@nestjs/common';
import type { Topic } from '@pulso/contracts/topics/topic';
import { DataSource } from 'typeorm';
import type { EventRecord, RepublishEnd, RepublishStart } from '../events/event-bus.js';
import type { Projection } from '../events/projection.js';
import { republicationOf } from '../events/republish.js';
import { writeRow } from './projected-row.js';
import { Rebuilds, type Run } from './rebuilds.js';
import { Statements } from './statements.js';
import { type Transaction, Writes } from './writes.js';

/** The table that stores a topic's states. */
export interface ProjectedTable<T> {
  topic: Topic<T>;
  /** It also has `version` and the columns of `addRebuildColumns`. */
  table: string;
  /** The columns of its primary key, which are the parts of the topic's key, in the same order. */
  key: readonly string[];
  /** The other columns of a state, by name. */
  columns(state: T): Readonly<Record<string, unknown>>;
  /** Boolean columns that stay true once any state, even an older one, has set them. */
  ever?: readonly string[];
  /** Of a table with `afterRowWritten`: what needs none of it, and is written by one statement without a transaction. */
  plain?: {
    /** Whether the state may be plain. It is, if no row is there or `row` holds for that. */
    isPlain(state: T): boolean;
    /** SQL over the existing row `known`. */
    row: string;
  };
}

/** The dependencies of a `ProjectionTable`; every service on PostgreSQL may inject them. */
@Injectable()
export class ProjectionStore {
  constructor(
    readonly dataSource: DataSource,
    readonly writes: Writes,
    readonly rebuilds: Rebuilds,
  ) {}
}

/**
 * A service's copy of another service's states, in its own table. Writes are idempotent by version, in any order and
 * under races. A republication corrects the rows while they are served (ADR 6): each republished state is compared with
 * the existing row; when the end markers of all partitions have arrived, rows that the republication did not include are
 * removed. Every step may be repeated or interrupted by a crash: the next run repeats all of it.
 */
export abstract class ProjectionTable<T> implements Projection<T> {
  readonly topic: Topic<T>;
  protected readonly dataSource: DataSource;
  protected readonly statements: Statements;

  constructor(
    private readonly store: ProjectionStore,
    private readonly projected: ProjectedTable<T>,
  ) {
    const { topic, table, key } = projected;
    if (key.length !== topic.keyLength) throw new Error(`${table}: its key is not that of ${topic.name}`);
    this.topic = topic;
    this.dataSource = store.dataSource;
    this.statements = new Statements(store.dataSource);
  }

  /**
   * Does further work in the transaction that writes the row. Called with a state that was written, arrived
   * again or was confirmed by a republication, and with an undefined `state` when the row is removed. Must be idempotent.
   */
  protected afterRowWritten?(
    parts: readonly string[],
    state: T | undefined,
    transaction: Transaction,
  ): Promise<void>;

  async apply(state: T, event: EventRecord): Promise<boolean> {
    const { topic, projected, store } = this;
    const parts = topic.partsOf(topic.keyOf(state));
    const version = topic.versionOf(state);
    const run = republicationOf(event);
    const row = {
      table: projected.table,
      key: Object.fromEntries(projected.key.map((name, index) => [name, parts[index]])),
      fields: projected.columns(state),
      ever: projected.ever ?? [],
      version,
      republished: run !== undefined,
      run: run === undefined ? undefined : await store.rebuilds.find(projected.table, run),
    };
    if (run === undefined && projected.plain?.isPlain(state)) {
      const plain = writeRow({ ...row, where: { name: 'plain', condition: `(${projected.plain.row})` } });
      const [written] = await this.statements.rows(plain.writing, plain.values);
      if (written) return true;
    }
    const { writing, values } = writeRow(row);
    if (!this.afterRowWritten) {
      await this.statements.rows(writing, values);
      return true;
    }
    await store.writes.run(async (transaction) => {
      const [row] = await transaction.rows(writing, values);
      if (row && Number(row.version) === version) await this.afterRowWritten!(parts, state, transaction);
    });
    return true;
  }

  async versionOf(key: string): Promise<number | undefined> {
    const { table, key: columns } = this.projected;
    const [row] = await this.dataSource.query<{ version: string }[]>(
      `SELECT version FROM ${table} WHERE ${columns.map((name, index) => `${name} = $${index + 1}`).join(' AND ')}`,
      [...this.topic.partsOf(key)],
    );
    return row && Number(row.version);
  }

  republishStarted({ run }: RepublishStart): Promise<void> {
    return this.store.rebuilds.begin(this.projected.table, run);
  }

  /** Rejects, and removes nothing, if states are missing: they are dead letters and must be replayed first. */
  async republishEnded(end: RepublishEnd): Promise<void> {
    const run = await this.store.rebuilds.partitionEnded(this.projected.table, end);
    if (run) await this.store.writes.run((transaction) => this.complete(run, end.states, transaction));
  }

  private async complete({ run, openedAt }: Run, states: number, transaction: Transaction): Promise<void> {
    const { table, key } = this.projected;
    const { manager } = transaction;
    // Reading the whole table may take longer than a request.
    await manager.query('SET LOCAL statement_timeout = 0');
    const [confirmed] = await manager.query<{ count: number }[]>(
      `SELECT count(*)::int AS count FROM ${table} WHERE confirmed_by >= $1`,
      [run],
    );
    if (confirmed!.count < states) {
      throw new Error(`rebuilding ${table}: only ${confirmed!.count} of ${states} states have arrived`);
    }
    const [strays] = await manager.query<[Record<string, string>[], number]>(
      `DELETE FROM ${table} WHERE (confirmed_by IS NULL OR confirmed_by < $1) AND changed_at < $2::timestamptz
       RETURNING ${key.join(', ')}`,
      [run, openedAt],
    );
    for (const stray of this.afterRowWritten ? strays : []) {
      await this.afterRowWritten!(
        key.map((name) => stray[name]!),
        undefined,
        transaction,
      );
    }
    await this.store.rebuilds.finish(table, run, manager);
  }
}
