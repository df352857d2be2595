import type { DataSource } from 'typeorm';
import type { MarkedUser } from '../erasure/marked-users.js';
import { NIL_ID } from '../ids/uuid-v7.js';

const PAGE = 5_000;

/** Reads whom a table with `user_id`, its key, and `marked_at`, which has an index, marks as erased. */
export class PostgresMarks {
  constructor(
    private readonly dataSource: Pick<DataSource, 'query'>,
    private readonly table: string,
  ) {}

  async *every(): AsyncIterable<MarkedUser> {
    for (let after = NIL_ID; ;) {
      const page = await this.dataSource.query<MarkedUser[]>(
        `SELECT user_id AS "userId", marked_at AS "markedAt" FROM ${this.table} WHERE user_id > $1
         ORDER BY user_id LIMIT ${PAGE}`,
        [after],
      );
      yield* page;
      if (page.length < PAGE) return;
      after = page.at(-1)!.userId;
    }
  }

  since(markedAt: Date): Promise<MarkedUser[]> {
    return this.dataSource.query<MarkedUser[]>(
      `SELECT user_id AS "userId", marked_at AS "markedAt" FROM ${this.table} WHERE marked_at >= $1`,
      [markedAt],
    );
  }
}
