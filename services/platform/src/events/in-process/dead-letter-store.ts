import type { Pool } from 'pg';
import { DEAD_LETTERS_LISTED, type DeadLetter } from '../event-bus.js';
import { inTransaction } from './in-transaction.js';
import { namedRows } from './named-rows.js';
import { type DeliveryRef, deliveryOf, type DeliveryRow, type StoredDelivery } from './stored-delivery.js';

/** A dead letter with its event. */
export interface StoredDeadLetter extends StoredDelivery {
  /** When it became a dead letter. */
  failedAt: Date;
}

/** More than any handler has, also for the marker of a republication, which reads whole tables. */
const REDELIVERY = '1h';
const PAGE = 500;

/** The statements of the in-process bus about dead letters, for the operator's commands. */
export class DeadLetterStore {
  constructor(private readonly pool: Pool) {}

  /** The next dead letters of a group, or only that of `eventId`, with their events, in the order of publication. */
  async withEvents(
    group: string,
    eventId: string | undefined,
    afterSeq: string,
  ): Promise<StoredDeadLetter[]> {
    const rows = await namedRows<DeliveryRow & { failedAt: Date }>(
      this.pool,
      'bus-dead-letter-events',
      `SELECT failed_at AS "failedAt", seq, grp AS "group", attempts, id, topic, key, version, payload, headers, republished
       FROM bus_dead_letters JOIN bus_events USING (seq)
       WHERE grp = $1 AND ($2::text IS NULL OR id = $2) AND seq > $3 ORDER BY seq LIMIT ${PAGE}`,
      [group, eventId ?? null, afterSeq],
    );
    return rows.map(({ failedAt, ...row }) => ({ ...deliveryOf(row), failedAt }));
  }

  /**
   * Runs `work` while no other process can redeliver, discard or expire the dead letter. Removes the letter if `work`
   * resolves to undefined, else stores the error that it resolves to. Does nothing and resolves to false if another process
   * has removed the letter or redelivers it at this time.
   */
  async redeliver({ seq, group }: DeliveryRef, work: () => Promise<string | undefined>): Promise<boolean> {
    return inTransaction(this.pool, async (client) => {
      const letter = [seq, group];
      // The transaction waits for the handler, which may take longer than a pool lets transactions wait for nothing.
      await client.query(`SET LOCAL idle_in_transaction_session_timeout = '${REDELIVERY}'`);
      const { rowCount } = await client.query(
        'SELECT FROM bus_dead_letters WHERE seq = $1 AND grp = $2 FOR UPDATE SKIP LOCKED',
        letter,
      );
      if (rowCount === 0) return false;
      const error = await work();
      if (error === undefined)
        await client.query('DELETE FROM bus_dead_letters WHERE seq = $1 AND grp = $2', letter);
      else
        await client.query('UPDATE bus_dead_letters SET error = $3 WHERE seq = $1 AND grp = $2', [
          ...letter,
          error,
        ]);
      return true;
    });
  }

  /** Returns whether there was such a dead letter. */
  async discard(group: string, eventId: string): Promise<boolean> {
    const removed = await namedRows(
      this.pool,
      'bus-discard',
      `DELETE FROM bus_dead_letters l USING bus_events e WHERE l.grp = $1 AND e.seq = l.seq AND e.id = $2 RETURNING l.seq`,
      [group, eventId],
    );
    return removed.length > 0;
  }

  list(groups: readonly string[], eventId: string | undefined): Promise<DeadLetter[]> {
    return namedRows(
      this.pool,
      'bus-dead-letters',
      `SELECT grp AS "group", id AS "eventId", topic, key, attempts, error, failed_at AS "failedAt"
       FROM bus_dead_letters JOIN bus_events USING (seq)
       WHERE grp = ANY($1::text[]) AND ($2::text IS NULL OR id = $2) ORDER BY seq LIMIT ${DEAD_LETTERS_LISTED}`,
      [groups, eventId ?? null],
    );
  }
}
