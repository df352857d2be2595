import { Injectable } from '@nestjs/common';
import { IMPORT } from '@pulso/contracts/limits';
import { DomainError } from '@pulso/platform/errors/domain-error';
import { isDuplicateKey } from '@pulso/platform/mongo/queries';
import { Clock } from '@pulso/platform/time/clock';
import { type ImportRow, ImportRows } from './import.schema.js';

/** What is imported, and counted. */
export type ImportedKind = 'posts' | 'comments';

/** How many rows, and the length of their texts in bytes of UTF-8. */
export interface ImportedSize {
  count: number;
  textBytes: number;
}

const MOST: Readonly<Record<ImportedKind, number>> = { posts: IMPORT.postsMax, comments: IMPORT.commentsMax };

@Injectable()
export class ImportRepository {
  constructor(
    private readonly rows: ImportRows,
    private readonly clock: Clock,
  ) {}

  find(userId: string): Promise<ImportRow | null> {
    return this.rows.findOne({ _id: userId });
  }

  /** When the user has begun the import, in ms; undefined before. */
  async begunAt(userId: string): Promise<number | undefined> {
    return (await this.find(userId))?.begunAt.getTime();
  }

  /** Names the source. What was imported before goes on counting. */
  async begin(userId: string, sourceUserId: string): Promise<void> {
    const begin = () =>
      this.rows.raw.updateOne(
        { _id: userId },
        {
          $set: { sourceUserId, begunAt: new Date(this.clock.now()) },
          $setOnInsert: { posts: 0, comments: 0, textBytes: 0 },
        },
        { upsert: true },
      );
    try {
      await begin();
    } catch (error) {
      // Two first beginnings at once: the other one has made the row.
      if (!isDuplicateKey(error)) throw error;
      await begin();
    }
  }

  /**
   * Counts rows that are about to be written, in one statement with the check that they are neither too many nor too long (LIMIT-21). What
   * a crash keeps from being written stays counted. Throws `conflict` before an import was begun, `unprocessable` beyond the limit.
   */
  async reserve(userId: string, kind: ImportedKind, { count, textBytes }: ImportedSize): Promise<void> {
    const most = MOST[kind];
    const room = {
      [kind]: { $lte: most - count },
      textBytes: { $lte: IMPORT.textBytesMax - textBytes },
    };
    const counted = { $inc: { [kind]: count, textBytes } };
    const { matchedCount } = await this.rows.raw.updateOne({ _id: userId, ...room }, counted);
    if (matchedCount > 0) return;
    const row = await this.find(userId);
    if (!row) throw new DomainError('conflict', 'Begin the import first.');
    const what = row[kind] + count > most ? `${most} ${kind}` : `${IMPORT.textBytesMax / 1e6} MB of text`;
    throw new DomainError('unprocessable', `An account can import at most ${what}.`);
  }

  /** Takes back what was counted and not written. */
  async giveBack(userId: string, kind: ImportedKind, { count, textBytes }: ImportedSize): Promise<void> {
    if (count === 0) return;
    await this.rows.raw.updateOne({ _id: userId }, { $inc: { [kind]: -count, textBytes: -textBytes } });
  }

  /** Of an account that is erased: nothing more can be imported into it. */
  async forget(userId: string): Promise<void> {
    await this.rows.raw.deleteOne({ _id: userId });
  }
}
