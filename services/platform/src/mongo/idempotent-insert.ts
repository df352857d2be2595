import { Injectable } from '@nestjs/common';
import type { mongo } from 'mongoose';
import type { AnswerCodec } from '../idempotency/answer-codec.js';
import {
  IDEMPOTENCY_MS,
  idempotencyId,
  idempotencyKeyReused,
  type IdempotentRequest,
} from '../idempotency/idempotency-key.js';
import { Clock } from '../time/clock.js';
import { MongoDatabase } from './mongo-database.js';
import { isDuplicateKey, READ_BUDGET_MS } from './queries.js';

/** Fields of a document that was created under an Idempotency-Key; inserted with the document and cleared after 24 h. */
export interface IdempotencyFields {
  /** Caller, scope and key in one digest; unique. */
  idempotencyId?: string;
  idempotencyHash?: string;
  /** The first answer, encoded by the codec of its use case. */
  idempotencyAnswer?: Buffer;
  idempotencyAt?: Date;
}

export const IDEMPOTENCY_FIELDS = {
  idempotencyId: String,
  idempotencyHash: String,
  idempotencyAnswer: Buffer,
  idempotencyAt: Date,
} as const;

/** The names of `IdempotencyFields`, for `unpublished` of an owned collection. */
export const IDEMPOTENCY_NAMES = [
  'idempotencyId',
  'idempotencyHash',
  'idempotencyAnswer',
  'idempotencyAt',
] as const satisfies readonly (keyof IdempotencyFields)[];

export const IDEMPOTENCY_INDEXES = [
  { key: { idempotencyId: 1 }, unique: true, sparse: true },
  { key: { idempotencyAt: 1 }, sparse: true },
] as const;

const FORGET_KEY = { $unset: Object.fromEntries(IDEMPOTENCY_NAMES.map((name) => [name, ''] as const)) };
const BATCH = 500;

type IdempotentRow = IdempotencyFields & { _id: string };

/** A collection whose documents have `IdempotencyFields`. */
interface IdempotentRows {
  readonly name: string;
  findOne(filter: Pick<IdempotencyFields, 'idempotencyId'>): Promise<IdempotencyFields | null>;
  /** Only owned collections have it: other documents are read from the store alone. */
  recordUnchanged?(row: IdempotencyFields): void;
}

/** Handles Idempotency-Keys of requests that insert a document: key and answer are stored in the document. */
@Injectable()
export class IdempotentInserts {
  constructor(
    private readonly database: MongoDatabase,
    private readonly clock: Clock,
  ) {}

  /**
   * Runs `create`. If the caller has done so under this key within 24 h, returns the first answer instead. `create` gets a
   * function that adds the key and the answer to the inserted document, so that all is one write. If two requests run at
   * once, the unique index lets one of them insert, and the other returns its answer. Throws `idempotency-key-reused` for
   * another body.
   */
  async once<T>(
    options: {
      request: IdempotentRequest | undefined;
      callerId: string;
      codec: AnswerCodec<T>;
      rows: IdempotentRows;
    },
    create: (stamp: (answer: T) => IdempotencyFields) => Promise<T>,
  ): Promise<T> {
    const { request, callerId, codec, rows } = options;
    if (!request?.key) return create(() => ({}));
    const id = idempotencyId(callerId, request);

    const firstAnswer = async (): Promise<{ answer: T } | undefined> => {
      const row = await rows.findOne({ idempotencyId: id });
      if (!row?.idempotencyAt) return undefined;
      if (row.idempotencyAt <= this.oldest()) {
        await this.rowsOf(rows.name).updateOne({ idempotencyId: id, ...this.expired() }, FORGET_KEY);
        return undefined;
      }
      if (row.idempotencyHash !== request.bodyHash) throw idempotencyKeyReused();
      rows.recordUnchanged?.(row);
      return { answer: codec.decode(row.idempotencyAnswer!) };
    };

    const known = await firstAnswer();
    if (known) return known.answer;
    try {
      return await create((answer) => ({
        idempotencyId: id,
        idempotencyHash: request.bodyHash,
        idempotencyAnswer: Buffer.from(codec.encode(answer)),
        idempotencyAt: new Date(this.clock.now()),
      }));
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      const first = await firstAnswer();
      if (!first) throw error;
      return first.answer;
    }
  }

  /** Clears keys older than 24 h; `stopping` ends it early. `once` ignores such keys even before they are cleared. */
  async purge(stopping: AbortSignal): Promise<void> {
    const expired = this.expired();
    for (const name of this.database.namesWith('idempotencyAt')) {
      const rows = this.rowsOf(name);
      while (!stopping.aborted) {
        const found = await rows
          .find(expired, { projection: { _id: 1 }, maxTimeMS: READ_BUDGET_MS })
          .limit(BATCH)
          .toArray();
        if (found.length === 0) break;
        await rows.updateMany({ _id: { $in: found.map(({ _id }) => _id) }, ...expired }, FORGET_KEY);
      }
    }
  }

  private rowsOf(name: string): mongo.Collection<IdempotentRow> {
    return this.database.raw<IdempotentRow>(name);
  }

  private expired(): { idempotencyAt: { $lte: Date } } {
    return { idempotencyAt: { $lte: this.oldest() } };
  }

  private oldest(): Date {
    return new Date(this.clock.now() - IDEMPOTENCY_MS);
  }
}
