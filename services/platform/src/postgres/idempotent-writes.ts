import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { AnswerCodec } from '../idempotency/answer-codec.js';
import {
  IDEMPOTENCY_MS,
  idempotencyId,
  idempotencyInProgress,
  idempotencyKeyReused,
  type IdempotentRequest,
} from '../idempotency/idempotency-key.js';
import { Clock } from '../time/clock.js';
import { deleteInBatches } from '../jobs/delete-in-batches.js';
import { statement } from './statements.js';
import type { Transaction } from './writes.js';

const TRY_LOCK = statement<{ free: boolean }>(
  'idempotency.lock',
  'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 1)) AS free',
);
const FIND = statement<{ body_hash: string; answer: Buffer }>(
  'idempotency.find',
  'SELECT body_hash, answer FROM idempotency_keys WHERE id = $1 AND created_at > $2',
);
const KEEP = statement(
  'idempotency.keep',
  `INSERT INTO idempotency_keys (id, body_hash, answer, created_at) VALUES ($1, $2, $3, $4)
   ON CONFLICT (id) DO UPDATE
     SET body_hash = excluded.body_hash, answer = excluded.answer, created_at = excluded.created_at`,
);

/** Idempotency-Keys of writes that create, stored in the write's own transaction. */
@Injectable()
export class IdempotentWrites {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /**
   * Runs `write`. If the caller has done so under this key within 24 h, returns the first answer instead. Throws
   * `idempotency-key-reused` for another body, `idempotency-in-progress` while the first request runs. `onKnown` runs
   * before the first answer is returned again: it calls `Transaction.recordUnchanged` with what the first request wrote.
   * `isSerial`: the transaction has a lock that every request with this key takes before, so none can be under way.
   */
  async once<T>(
    options: {
      request: IdempotentRequest | undefined;
      callerId: string;
      codec: AnswerCodec<T>;
      onKnown?: () => Promise<void>;
      isSerial?: boolean;
    },
    transaction: Transaction,
    write: () => Promise<T>,
  ): Promise<T> {
    const { request, callerId, codec, onKnown, isSerial = false } = options;
    if (!request?.key) return write();
    const id = idempotencyId(callerId, request);
    if (!isSerial) {
      const [lock] = await transaction.rows(TRY_LOCK, [id]);
      if (!lock?.free) throw idempotencyInProgress();
    }
    const [known] = await transaction.rows(FIND, [id, this.oldest()]);
    if (known && known.body_hash !== request.bodyHash) throw idempotencyKeyReused();
    if (known) {
      await onKnown?.();
      return codec.decode(known.answer);
    }

    const answer = await write();
    const kept = [id, request.bodyHash, Buffer.from(codec.encode(answer)), new Date(this.clock.now())];
    await transaction.rows(KEEP, kept);
    return answer;
  }

  /** Removes keys older than 24 h. */
  async purge(stopping: AbortSignal): Promise<void> {
    const old = { table: 'idempotency_keys', where: 'created_at <= $1', oldestBy: 'created_at' };
    await deleteInBatches(this.dataSource, { ...old, parameters: [this.oldest()] }, stopping);
  }

  private oldest(): Date {
    return new Date(this.clock.now() - IDEMPOTENCY_MS);
  }
}
