import { Injectable } from '@nestjs/common';
import type { mongo } from 'mongoose';
import { DomainError } from '../errors/domain-error.js';
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
   * function that adds the key and the answer to the inserted document, so that all is one write. Throws
   * `idempotency-key-reused` for another body.
   *
   * The key is looked for only where `create` fails, as most keys are new: the unique index refuses a second insert. `create` runs
   * for a repetition, too, so it inserts nothing and changes nothing before it calls the function; if it throws a DomainError
   * before that, the first answer is still given, because what was allowed may no longer be.
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
    const { request, callerId, codec } = options;
    if (!request?.key) return create(() => ({}));
    const id = idempotencyId(callerId, request);
    for (;;) {
      let isStamped = false;
      const stamp = (answer: T) => {
        isStamped = true;
        return {
          idempotencyId: id,
          idempotencyHash: request.bodyHash,
          idempotencyAnswer: Buffer.from(codec.encode(answer)),
          idempotencyAt: new Date(this.clock.now()),
        };
      };
      try {
        return await create(stamp);
      } catch (error) {
        const isTaken = isDuplicateKey(error);
        // What fails after the insert is no refusal: the row is this request's own.
        if (!isTaken && (isStamped || !(error instanceof DomainError))) throw error;
        const first = await this.firstAnswer(id, request.bodyHash, options);
        if (first === 'none' || (first === 'forgotten' && !isTaken)) throw error;
        if (first !== 'forgotten') return first.answer;
      }
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

  /** `forgotten`: the key was older than 24 h, and is free now. */
  private async firstAnswer<T>(
    id: string,
    bodyHash: string,
    { rows, codec }: { rows: IdempotentRows; codec: AnswerCodec<T> },
  ): Promise<{ answer: T } | 'none' | 'forgotten'> {
    const row = await rows.findOne({ idempotencyId: id });
    if (!row?.idempotencyAt) return 'none';
    if (row.idempotencyAt <= this.oldest()) {
      await this.rowsOf(rows.name).updateOne({ idempotencyId: id, ...this.expired() }, FORGET_KEY);
      return 'forgotten';
    }
    if (row.idempotencyHash !== bodyHash) throw idempotencyKeyReused();
    rows.recordUnchanged?.(row);
    return { answer: await codec.decode(row.idempotencyAnswer!) };
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
