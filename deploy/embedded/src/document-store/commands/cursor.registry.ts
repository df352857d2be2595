import { randomBytes } from 'node:crypto';
import { Long } from 'bson';
import { badValue, CommandError } from '../rules/command-error.js';

/** Encoded documents, given one by one. */
export interface DocumentSource {
  /** The next one, or undefined at the end. */
  next(deadline: number): Buffer | undefined;
  /** Releases resources that must not be held between batches. */
  release(): void;
  /** Whether the end is known without reading further. */
  readonly isDone: boolean;
}

interface OpenCursor {
  namespace: string;
  source: DocumentSource;
  lastUsed: number;
}

const IDLE_MS = 10 * 60_000;
const MAX_OPEN = 10_000;
const REPLY_BYTES = 16 * 1024 * 1024;

/** Open cursors by id, the longest unused first. A cursor unused for ten minutes is dropped, as on MongoDB. */
export class CursorRegistry {
  private readonly open = new Map<string, OpenCursor>();

  constructor(private readonly clock: () => number = Date.now) {}

  /** Stores a source for `getMore`; the id of a finished one is zero. */
  register(namespace: string, source: DocumentSource): Long {
    if (source.isDone) return Long.ZERO;
    this.dropIdle();
    if (this.open.size >= MAX_OPEN) throw badValue(`more than ${MAX_OPEN} cursors are open`);
    // 63 random bits, never zero: ids are positive 64-bit integers.
    const id = Long.fromBigInt((randomBytes(8).readBigUInt64BE() >> 1n) | 1n);
    this.open.set(id.toString(), { namespace, source, lastUsed: this.clock() });
    return id;
  }

  /** @throws CursorNotFound (43) */
  resume(id: Long, namespace: string): DocumentSource {
    const key = id.toString();
    const cursor = this.open.get(key);
    if (cursor?.namespace !== namespace) throw new CommandError(43, `cursor id ${key} not found`);
    // A Map keeps the order of insertion: this moves the cursor behind those that have been unused for longer.
    this.open.delete(key);
    this.open.set(key, { ...cursor, lastUsed: this.clock() });
    return cursor.source;
  }

  close(id: Long, namespace: string): boolean {
    const cursor = this.open.get(id.toString());
    return cursor?.namespace === namespace && this.open.delete(id.toString());
  }

  private dropIdle(): void {
    const limit = this.clock() - IDLE_MS;
    for (const [id, cursor] of this.open) {
      if (cursor.lastUsed >= limit) return;
      this.open.delete(id);
    }
  }
}

/** Up to `count` documents, fewer when the reply would become too long: after 16 MiB at most one more is added. */
export function readBatch(source: DocumentSource, count: number, deadline: number): Buffer[] {
  const batch: Buffer[] = [];
  let bytes = 0;
  try {
    while (batch.length < count && bytes < REPLY_BYTES && !source.isDone) {
      const next = source.next(deadline);
      if (!next) break;
      bytes += next.length;
      batch.push(next);
    }
    return batch;
  } finally {
    source.release();
  }
}

/** A source of documents that are all in memory. */
export function readyDocuments(documents: Buffer[]): DocumentSource {
  let at = 0;
  return {
    next: () => documents[at++],
    release: () => undefined,
    get isDone() {
      return at >= documents.length;
    },
  };
}
