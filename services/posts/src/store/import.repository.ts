import { Injectable } from '@nestjs/common';
import { IMPORT } from '@pulso/contracts/limits';
import { DomainError } from '@pulso/platform/errors/domain-error';
import { isDuplicateKey } from '@pulso/platform/mongo/queries';
import { Clock } from '@pulso/platform/time/clock';
import { type ImportRow, ImportRows } from './import.schema.js';

/** What is imported, and counted. */
type ImportedKind = 'posts' | 'comments';

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

  /** Names the source. What was imported before goes on counting. */
  async begin(userId: string, sourceUserId: string): Promise<void> {
    const begin = () =>
      this.rows.raw.updateOne(
        { _id: userId },
        {
          $set: { sourceUserId, begunAt: new Date(this.clock.now()) },
          $setOnInsert: { posts: 0, comments: 0 },
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
   * Counts rows that are about to be written, in one statement with the check that they are not too many (LIMIT-21). What a crash keeps
   * from being written stays counted. Throws `conflict` before an import was begun, `unprocessable` beyond the limit.
   */
  async reserve(userId: string, kind: ImportedKind, count: number): Promise<void> {
    const most = MOST[kind];
    const { matchedCount } = await this.rows.raw.updateOne(
      { _id: userId, [kind]: { $lte: most - count } },
      { $inc: { [kind]: count } },
    );
    if (matchedCount > 0) return;
    if (!(await this.find(userId))) throw new DomainError('conflict', 'Begin the import first.');
    throw new DomainError('unprocessable', `An account can import at most ${most} ${kind}.`);
  }

  /** Takes back what was counted and not written, as another request had done it. */
  async giveBack(userId: string, kind: ImportedKind, count: number): Promise<void> {
    if (count > 0) await this.rows.raw.updateOne({ _id: userId }, { $inc: { [kind]: -count } });
  }

  /** Of an account that is erased: nothing more can be imported into it. */
  async forget(userId: string): Promise<void> {
    await this.rows.raw.deleteOne({ _id: userId });
  }
}
