import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import type { Idempotency } from '@pulso/contracts/social/v1/social';
import { DomainError } from '@pulso/platform/errors/domain-error';
import {
  IDEMPOTENCY_MS,
  idempotencyId,
  idempotencyKeyReused,
} from '@pulso/platform/idempotency/idempotency-key';
import type { Clock } from '@pulso/platform/time/clock';
import { DATA_SOURCE } from '../database/data-source.js';
import { CLOCK } from '../tokens.js';

/** How an answer is kept. What the request brings again anyway need not be. */
export interface AnswerCodec<T> {
  encode(answer: T): Uint8Array;
  decode(bytes: Uint8Array): T;
}

/** Idempotency-Keys of writes that create, remembered in the write's own transaction. */
@Injectable()
export class IdempotentWrites {
  constructor(
    @InjectDataSource(DATA_SOURCE) private readonly dataSource: DataSource,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Runs `write` unless the caller has done so under this key within 24 h; then answers the same again. Throws
   * `idempotency-key-reused` for another body, `idempotency-in-progress` while the first one runs.
   */
  async once<T>(
    options: { request: Idempotency | undefined; callerId: string; codec: AnswerCodec<T> },
    transaction: EntityManager,
    write: () => Promise<T>,
  ): Promise<T> {
    const { request, callerId, codec } = options;
    if (!request?.key) return write();
    const id = idempotencyId(callerId, request);
    await this.lock(id, transaction);

    const [known] = await transaction.query<{ body_hash: string; answer: Buffer }[]>(
      'SELECT body_hash, answer FROM idempotency_keys WHERE id = $1 AND created_at > $2',
      [id, this.oldest()],
    );
    if (known && known.body_hash !== request.bodyHash) throw idempotencyKeyReused();
    if (known) return codec.decode(known.answer);

    const answer = await write();
    await transaction.query(
      `INSERT INTO idempotency_keys (id, body_hash, answer, created_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT (id) DO UPDATE
         SET body_hash = excluded.body_hash, answer = excluded.answer, created_at = excluded.created_at`,
      [id, request.bodyHash, Buffer.from(codec.encode(answer)), new Date(this.clock.now())],
    );
    return answer;
  }

  /** Forgets keys older than 24 h. */
  async purge(): Promise<void> {
    await this.dataSource.query('DELETE FROM idempotency_keys WHERE created_at <= $1', [this.oldest()]);
  }

  private async lock(id: string, transaction: EntityManager): Promise<void> {
    const [row] = await transaction.query<{ free: boolean }[]>(
      'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 1)) AS free',
      [id],
    );
    if (!row?.free) throw stillRunning();
  }

  private oldest(): Date {
    return new Date(this.clock.now() - IDEMPOTENCY_MS);
  }
}

const stillRunning = () =>
  new DomainError('idempotency-in-progress', 'The first request with this Idempotency-Key is still running.');
