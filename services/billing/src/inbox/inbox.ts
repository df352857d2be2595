import { Injectable } from '@nestjs/common';
import { deleteInBatches } from '@pulso/platform/jobs/delete-in-batches';
import { statement } from '@pulso/platform/postgres/statements';
import type { Transaction } from '@pulso/platform/postgres/writes';
import { type Backoff, backoffMs } from '@pulso/platform/time/backoff';
import { Clock } from '@pulso/platform/time/clock';
import { DataSource } from 'typeorm';
import type { ProviderEvent } from '../provider/payment-provider.js';

const DAY_MS = 24 * 60 * 60_000;
const KEPT_MS = 90 * DAY_MS;
/** Longer than an event is worked on: then another process may take it. */
const LEASE_MS = 60_000;
const BACKOFF: Backoff = { firstMs: 2_000, longestMs: 10 * 60_000 };
const LONGEST_FAILURE = 500;
/** How the ids of Pulso's own events begin: a customer is to be read again. */
export const OWN_EVENT = 'pulso_';

/** An event that this process works on. */
export type TakenEvent = Pick<ProviderEvent, 'id' | 'customerId' | 'accountId' | 'disputeId'> & {
  attempts: number;
};

/** An event as operators see it. */
export interface InboxEntry extends ProviderEvent {
  receivedAt: number;
  handledAt: number | null;
  attempts: number;
  dueAt: number;
  failure: string | null;
}

type Times = 'createdAt' | 'receivedAt' | 'handledAt' | 'dueAt';
type Row = Omit<InboxEntry, Times> & Record<Exclude<Times, 'handledAt'>, Date> & { handledAt: Date | null };

const PUT = statement<{ id: string }>(
  'inbox.put',
  `INSERT INTO provider_events (id, type, account, customer_id, account_id, dispute_id, created_at, received_at, due_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8) ON CONFLICT DO NOTHING RETURNING id`,
);

/** The events of one customer or account are one piece of work: all that are due are taken together. */
const TAKE = `
  UPDATE provider_events SET attempts = attempts + 1, due_at = $2 WHERE id IN (
    SELECT id FROM provider_events WHERE handled_at IS NULL AND due_at <= $1 ORDER BY due_at LIMIT $3
    FOR UPDATE SKIP LOCKED)
  RETURNING id, customer_id AS "customerId", account_id AS "accountId", dispute_id AS "disputeId", attempts`;

const SHOWN = `id, type, account, customer_id AS "customerId", account_id AS "accountId",
  dispute_id AS "disputeId", created_at AS "createdAt",
  received_at AS "receivedAt", handled_at AS "handledAt", attempts, due_at AS "dueAt", failure`;

/** The provider's events, stored before they are handled (SUBS-17). */
@Injectable()
export class Inbox {
  private wake: () => void = () => undefined;

  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** Who is told of each new event. */
  onNew(wake: () => void): void {
    this.wake = wake;
  }

  /** Returns whether the event is new; a known one stays as it is. */
  async put(event: ProviderEvent, transaction: Transaction): Promise<boolean> {
    const { id, type, account, customerId, accountId, disputeId, createdAt } = event;
    const now = new Date(this.clock.now());
    const values = [id, type, account, customerId, accountId, disputeId, new Date(createdAt), now];
    const isNew = (await transaction.rows(PUT, values)).length > 0;
    if (isNew) transaction.afterCommit.push(() => this.wake());
    return isNew;
  }

  /** Up to `limit` events that are due, the longest due first; no other process gets them for a minute. */
  async take(limit: number): Promise<TakenEvent[]> {
    const now = this.clock.now();
    const [taken] = await this.dataSource.query<[TakenEvent[], number]>(TAKE, [
      new Date(now),
      new Date(now + LEASE_MS),
      limit,
    ]);
    return taken;
  }

  async handled(events: readonly TakenEvent[]): Promise<void> {
    await this.dataSource.query(
      'UPDATE provider_events SET handled_at = $2, failure = NULL WHERE id = ANY ($1) AND handled_at IS NULL',
      [events.map(({ id }) => id), new Date(this.clock.now())],
    );
  }

  /** They are tried again, for as long as it takes, at most every ten minutes. */
  async failed(events: readonly TakenEvent[], failure: string): Promise<void> {
    const now = this.clock.now();
    for (const { id, attempts } of events) {
      await this.dataSource.query(
        'UPDATE provider_events SET due_at = $2, failure = $3 WHERE id = $1 AND handled_at IS NULL AND attempts = $4',
        [id, new Date(now + backoffMs(attempts, BACKOFF)), failure.slice(0, LONGEST_FAILURE), attempts],
      );
    }
  }

  /** Those that wait, those among them that have failed, and when the oldest of all came. */
  async waiting(): Promise<{ waiting: number; failing: number; oldestAt: Date | null }> {
    const [row] = await this.dataSource.query<{ waiting: number; failing: number; oldestAt: Date | null }[]>(
      `SELECT count(*)::int AS waiting, count(failure)::int AS failing, min(received_at) AS "oldestAt"
       FROM provider_events WHERE handled_at IS NULL`,
    );
    return row!;
  }

  /** How many came from the provider within the last day, and when the last one came. */
  async lastDay(): Promise<{ platform: number; accounts: number; lastAt: Date | null }> {
    const [row] = await this.dataSource.query<{ platform: number; accounts: number; lastAt: Date | null }[]>(
      `SELECT count(*) FILTER (WHERE account IS NULL)::int AS platform, count(account)::int AS accounts,
         max(received_at) AS "lastAt"
       FROM provider_events WHERE received_at > $1 AND NOT starts_with(id, $2)`,
      [new Date(this.clock.now() - DAY_MS), OWN_EVENT],
    );
    return row!;
  }

  /** Failures first, then those that wait, then the latest. */
  async list(limit: number): Promise<InboxEntry[]> {
    const rows = await this.dataSource.query<Row[]>(
      `(SELECT ${SHOWN} FROM provider_events WHERE handled_at IS NULL ORDER BY failure IS NULL, due_at LIMIT $1)
       UNION ALL
       (SELECT ${SHOWN} FROM provider_events WHERE handled_at IS NOT NULL ORDER BY received_at DESC LIMIT $1)
       LIMIT $1`,
      [limit],
    );
    return rows.map(toEntry);
  }

  async find(id: string): Promise<InboxEntry | undefined> {
    const [row] = await this.dataSource.query<Row[]>(`SELECT ${SHOWN} FROM provider_events WHERE id = $1`, [
      id,
    ]);
    return row && toEntry(row);
  }

  /** Removes handled events after 90 days: the provider repeats none after 3. */
  purge(stopping: AbortSignal): Promise<void> {
    const old = {
      table: 'provider_events',
      where: 'handled_at IS NOT NULL AND received_at <= $1',
      oldestBy: 'received_at',
      parameters: [new Date(this.clock.now() - KEPT_MS)],
    };
    return deleteInBatches(this.dataSource, old, stopping);
  }
}

const toEntry = ({ createdAt, receivedAt, handledAt, dueAt, ...row }: Row): InboxEntry => ({
  ...row,
  createdAt: createdAt.getTime(),
  receivedAt: receivedAt.getTime(),
  handledAt: handledAt?.getTime() ?? null,
  dueAt: dueAt.getTime(),
});
