import type { DataSource } from 'typeorm';
import type { StartPoints } from '../events/start-points.js';

export class PostgresStartPoints implements StartPoints {
  constructor(private readonly dataSource: Pick<DataSource, 'query'>) {}

  async keep(group: string, topic: string, offsets: readonly number[]): Promise<readonly number[]> {
    await this.dataSource.query(
      'INSERT INTO start_points (grp, topic, offsets) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
      [group, topic, offsets],
    );
    const rows: { offsets: string[] }[] = await this.dataSource.query(
      'SELECT offsets FROM start_points WHERE grp = $1 AND topic = $2',
      [group, topic],
    );
    return rows[0]!.offsets.map(Number);
  }
}
