import { Injectable } from '@nestjs/common';
import { DataSource, In } from 'typeorm';
import { User } from '../user/user.entity.js';
import {
  type CoachSearch,
  type DirectoryPosition,
  type Statement,
  askIndex,
  lookThrough,
} from './coach-search.js';

@Injectable()
export class CoachRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** The positions of the first `limit` matches after a position, in the order of the directory. */
  async search(search: CoachSearch): Promise<DirectoryPosition[]> {
    const found = await this.run(lookThrough(search));
    const everything = search.text === '' && search.specialty === '';
    if (everything || found.length === search.limit) return found;
    return this.run(askIndex(search));
  }

  /** The users among `ids` who are still listed coaches, in the order of `ids`. */
  async listed(ids: readonly string[]): Promise<User[]> {
    const users = await this.dataSource
      .getRepository(User)
      .findBy({ id: In(ids), isCoach: true, status: 'active' });
    const byId = new Map(users.map((user) => [user.id, user]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  private run({ sql, parameters }: Statement): Promise<DirectoryPosition[]> {
    return this.dataSource.query<DirectoryPosition[]>(sql, parameters);
  }
}
