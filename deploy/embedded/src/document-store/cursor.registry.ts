import { randomBytes } from 'node:crypto';
import { Long } from 'bson';
import { CommandError } from './command-error.js';

/** What a cursor still has to give: encoded documents, a batch at a time. */
export interface BatchSource {
  /** @param count the most documents to give */
  batch(count: number, deadline: number): Buffer[];
  readonly isDone: boolean;
}

interface OpenCursor {
  namespace: string;
  source: BatchSource;
  lastUsed: number;
}

const IDLE_MS = 10 * 60_000;
const MAX_OPEN = 10_000;

/** Open cursors by id. A cursor unused for ten minutes is dropped, as on MongoDB. */
export class CursorRegistry {
  private readonly open = new Map<string, OpenCursor>();

  constructor(private readonly clock: () => number = Date.now) {}

  /** Keeps a source for `getMore`; the id of a finished one is zero. */
  register(namespace: string, source: BatchSource): Long {
    if (source.isDone) return Long.ZERO;
    this.dropIdle();
    if (this.open.size >= MAX_OPEN) throw new CommandError(2, `more than ${MAX_OPEN} cursors are open`);
    // 63 random bits, never zero: ids are positive 64-bit integers.
    const id = Long.fromBigInt((randomBytes(8).readBigUInt64BE() >> 1n) | 1n);
    this.open.set(id.toString(), { namespace, source, lastUsed: this.clock() });
    return id;
  }

  /** @throws CursorNotFound (43) */
  resume(id: Long, namespace: string): BatchSource {
    const cursor = this.open.get(id.toString());
    if (!cursor || cursor.namespace !== namespace) {
      throw new CommandError(43, `cursor id ${id.toString()} not found`);
    }
    cursor.lastUsed = this.clock();
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
