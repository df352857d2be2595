import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { BlockState } from '@pulso/contracts/social/v1/events';
import { DATA_SOURCE } from '../database/data-source.js';

/** Who blocks whom, from pulso.social.block.v1; each is hidden from the other (decisions 19). */
@Injectable()
export class KnownBlocks {
  constructor(@InjectDataSource(DATA_SOURCE) private readonly dataSource: DataSource) {}

  /** Idempotent by version, in any order and under races. */
  async apply({ blockerId, blockedId, active, version }: BlockState): Promise<void> {
    await this.dataSource.query(
      `INSERT INTO known_blocks AS known (blocker_id, blocked_id, active, version) VALUES ($1, $2, $3, $4)
       ON CONFLICT (blocker_id, blocked_id) DO UPDATE SET active = excluded.active, version = excluded.version
       WHERE known.version < excluded.version`,
      [blockerId, blockedId, active, version],
    );
  }

  async blocks(blockerId: string, blockedId: string): Promise<boolean> {
    const rows = await this.dataSource.query<unknown[]>(
      'SELECT FROM known_blocks WHERE blocker_id = $1 AND blocked_id = $2 AND active',
      [blockerId, blockedId],
    );
    return rows.length > 0;
  }

  /** The version held of the block with a topic's key. */
  async versionOf(key: string): Promise<number | undefined> {
    const [blockerId, blockedId] = key.split('_');
    const [row] = await this.dataSource.query<{ version: string }[]>(
      'SELECT version FROM known_blocks WHERE blocker_id = $1 AND blocked_id = $2',
      [blockerId, blockedId],
    );
    return row && Number(row.version);
  }
}

/** SQL: the ids of all whom a block, either way, hides from the viewer named by the parameter. */
export const hiddenFrom = (viewer: string) =>
  `SELECT blocked_id FROM known_blocks WHERE blocker_id = ${viewer} AND active
   UNION ALL SELECT blocker_id FROM known_blocks WHERE blocked_id = ${viewer} AND active`;
