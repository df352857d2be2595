import type { Idempotency } from '@pulso/contracts/posts/v1/posts';
import {
  IDEMPOTENCY_MS,
  idempotencyId,
  idempotencyKeyReused,
} from '@pulso/platform/idempotency/idempotency-key';
import type { Clock } from '@pulso/platform/time/clock';
import { isDuplicateKey } from './queries.js';

/** On a row that was created under an Idempotency-Key, written with it and cleared after 24 h. */
export interface IdempotencyFields {
  /** Viewer, scope and key in one digest; unique. */
  idempotencyId?: string;
  idempotencyHash?: string;
  /** The first answer, encoded, without its text: that comes with every repetition, and a deleted row keeps none. */
  idempotencyAnswer?: Buffer;
  idempotencyAt?: Date;
}

export const IDEMPOTENCY_FIELDS = {
  idempotencyId: String,
  idempotencyHash: String,
  idempotencyAnswer: Buffer,
  idempotencyAt: Date,
} as const;

export const IDEMPOTENCY_INDEXES = [
  { key: { idempotencyId: 1 }, unique: true, sparse: true },
  { key: { idempotencyAt: 1 }, sparse: true },
] as const;

/** What clears a row's key. */
export const FORGET_KEY = {
  $unset: { idempotencyId: '', idempotencyHash: '', idempotencyAnswer: '', idempotencyAt: '' },
} as const;

export interface IdempotentRows {
  findIdempotent(idempotencyId: string): Promise<IdempotencyFields | null>;
  /** Clears the key where it was given before `before`. */
  forgetIdempotent(idempotencyId: string, before: Date): Promise<void>;
}

interface Codec<T> {
  encode(message: T): { finish(): Uint8Array };
  decode(bytes: Uint8Array): T;
}

/**
 * Runs `create` at most once a key. `create` gets what puts the key and the answer on the row it inserts, so both are
 * one write: of two at the same time the unique index lets one through, the other reads its answer. Throws
 * `idempotency-key-reused` for another body.
 */
export async function createOnce<T extends { content: string }>(options: {
  request: Idempotency | undefined;
  viewerId: string;
  rows: IdempotentRows;
  codec: Codec<T>;
  clock: Clock;
  /** The cleaned text of this request; equal bodies have equal texts. */
  content: string;
  create(stamp: (answer: T) => IdempotencyFields): Promise<T>;
}): Promise<T> {
  const { request, viewerId, rows, codec, clock, content, create } = options;
  if (!request?.key) return create(() => ({}));
  const id = idempotencyId(viewerId, request);

  const firstAnswer = async (): Promise<T | undefined> => {
    const row = await rows.findIdempotent(id);
    if (!row?.idempotencyAt) return undefined;
    const oldest = new Date(clock.now() - IDEMPOTENCY_MS);
    if (row.idempotencyAt <= oldest) {
      await rows.forgetIdempotent(id, oldest);
      return undefined;
    }
    if (row.idempotencyHash !== request.bodyHash) throw idempotencyKeyReused();
    return { ...codec.decode(row.idempotencyAnswer!), content };
  };

  const known = await firstAnswer();
  if (known) return known;
  try {
    return await create((answer) => ({
      idempotencyId: id,
      idempotencyHash: request.bodyHash,
      idempotencyAnswer: Buffer.from(codec.encode({ ...answer, content: '' }).finish()),
      idempotencyAt: new Date(clock.now()),
    }));
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    const first = await firstAnswer();
    if (!first) throw error;
    return first;
  }
}
