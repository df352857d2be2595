import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Archive } from './archive.js';

/** What a row says of an archive's objects. */
export type ArchiveRow = Pick<Archive, 'id' | 'ownerId' | 'state' | 'claim'> & {
  /** Of one that is ready. */
  bytes: number;
};

const AT_ONCE = 500;
const COLUMNS = 'id, owner_id AS "ownerId", state, claim, total_bytes::float8 AS bytes';

/** The archives of all users, for their comparison with the objects. */
@Injectable()
export class ArchiveRows {
  constructor(private readonly dataSource: DataSource) {}

  async areThere(): Promise<boolean> {
    const rows = await this.dataSource.query<unknown[]>('SELECT FROM archives LIMIT 1');
    return rows.length > 0;
  }

  /** As they are now, by id. */
  async find(ids: readonly string[]): Promise<Map<string, ArchiveRow>> {
    const rows = await this.dataSource.query<ArchiveRow[]>(
      `SELECT ${COLUMNS} FROM archives WHERE id = ANY($1::uuid[])`,
      [ids],
    );
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** Those that are ready, each page as it is when its turn comes. */
  async *ready(): AsyncGenerator<ArchiveRow & { claim: string }> {
    for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
      const rows = await this.dataSource.query<(ArchiveRow & { claim: string })[]>(
        `SELECT ${COLUMNS} FROM archives WHERE state = 'ready' AND id > $1 ORDER BY id LIMIT ${AT_ONCE}`,
        [after],
      );
      yield* rows;
      if (rows.length < AT_ONCE) return;
      after = rows.at(-1)!.id;
    }
  }
}
