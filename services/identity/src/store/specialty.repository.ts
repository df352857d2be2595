import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** More would not fit a form; the first in alphabetical order are kept. */
const SHOWN_MAX = 5_000;

@Injectable()
export class SpecialtyRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * The specialties of active coaches, one spelling for each comparison key. Skips along the index from each
   * distinct value to the next, so the time grows with the number of specialties, not of users.
   */
  async inUse(): Promise<string[]> {
    const rows = await this.dataSource.query<{ specialty: string }[]>(
      `WITH RECURSIVE found AS (
         (SELECT key, specialty FROM user_specialties ORDER BY key, specialty LIMIT 1)
         UNION ALL
         SELECT following.key, following.specialty FROM found CROSS JOIN LATERAL (
           SELECT key, specialty FROM user_specialties
           WHERE key > found.key ORDER BY key, specialty LIMIT 1
         ) AS following
       )
       SELECT specialty FROM found LIMIT ${SHOWN_MAX}`,
    );
    return rows.map(({ specialty }) => specialty);
  }
}
