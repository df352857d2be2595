import { Injectable } from '@nestjs/common';
import { DataSource, In } from 'typeorm';
import {
  askIndexForMerits,
  FORMER_MERITS_KEPT,
  lookThroughMerits,
  type MeritPosition,
  type MeritSearch,
} from './merit-search.js';
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
    const found = await this.run<DirectoryPosition>(lookThrough(search));
    const everything = search.text === '' && search.specialty === '';
    if (everything || found.length === search.limit) return found;
    return this.run(askIndex(search));
  }

  /** The same in the order by merit; each position names the time whose order the list has. */
  async searchByMerit(search: MeritSearch): Promise<MeritPosition[]> {
    const found = await this.run<MeritPosition>(lookThroughMerits(search));
    const everything = search.text === '' && search.specialty === '';
    if (everything || found.length === search.limit) return found;
    return this.run(askIndexForMerits(search));
  }

  /** Removes the replaced merits that no list needs any more. */
  async purgeFormerMerits(): Promise<void> {
    await this.dataSource.query(
      `DELETE FROM former_merits WHERE until < statement_timestamp() - ${FORMER_MERITS_KEPT}`,
    );
  }

  /** The users among `ids` who are still listed coaches, in the order of `ids`. */
  async listed(ids: readonly string[]): Promise<User[]> {
    const users = await this.dataSource
      .getRepository(User)
      .findBy({ id: In(ids), isCoach: true, status: 'active' });
    const byId = new Map(users.map((user) => [user.id, user]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  private run<Position>({ sql, parameters }: Statement): Promise<Position[]> {
    return this.dataSource.query<Position[]>(sql, parameters);
  }
}
