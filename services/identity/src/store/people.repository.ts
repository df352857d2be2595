import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type PeopleSearch, peopleStatements, type PersonPosition } from './people-search.js';

@Injectable()
export class PeopleRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** The positions of the first `limit` matches after a position. */
  async search(search: PeopleSearch): Promise<PersonPosition[]> {
    const found: PersonPosition[] = [];
    for (const { sql, parameters } of peopleStatements(search)) {
      if (found.length >= search.limit) break;
      found.push(...(await this.dataSource.query<PersonPosition[]>(sql, parameters)));
    }
    return found.slice(0, search.limit);
  }
}
