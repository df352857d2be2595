import { Injectable } from '@nestjs/common';
import { DataSource, In } from 'typeorm';
import { type PeopleSearch, peopleStatements, type PersonPosition } from './people-search.js';
import { User } from './user.entity.js';

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

  /** The users among `ids` who are still active, in the order of `ids`. */
  async active(ids: readonly string[]): Promise<User[]> {
    const users = await this.dataSource.getRepository(User).findBy({ id: In(ids), status: 'active' });
    const byId = new Map(users.map((user) => [user.id, user]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }
}
