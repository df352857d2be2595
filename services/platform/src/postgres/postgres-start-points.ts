import type { DataSource } from 'typeorm';
import type { StartPoint, StartPoints } from '../events/start-points.js';

export class PostgresStartPoints implements StartPoints {
  constructor(private readonly dataSource: Pick<DataSource, 'query'>) {}

  async keep(
    group: string,
    topic: string,
    offsets: readonly number[],
    formerGroups: readonly string[] = [],
  ): Promise<StartPoint> {
    const former: { offsets: string[] }[] = await this.dataSource.query(
      `SELECT offsets FROM start_points WHERE grp = ANY($1::text[]) AND topic = $2
       ORDER BY array_position($1::text[], grp) LIMIT 1`,
      [formerGroups, topic],
    );
    const stored: unknown[] = await this.dataSource.query(
      'INSERT INTO start_points (grp, topic, offsets) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING grp',
      [group, topic, former[0]?.offsets ?? offsets],
    );
    const rows: { offsets: string[] }[] = await this.dataSource.query(
      'SELECT offsets FROM start_points WHERE grp = $1 AND topic = $2',
      [group, topic],
    );
    return { offsets: rows[0]!.offsets.map(Number), isNew: stored.length > 0 && former.length === 0 };
  }
}
