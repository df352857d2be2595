import { Injectable } from '@nestjs/common';
import { deleteInBatches } from '@pulso/platform/jobs/delete-in-batches';
import { DataSource, In } from 'typeorm';
import {
  type CoachFilter,
  type CoachSearch,
  type DirectoryPosition,
  type Statement,
  askIndex,
  lookThrough,
} from './coach-search.js';
import {
  askIndexForMerits,
  FORMER_MERITS_KEPT,
  lookThroughMerits,
  type MeritPosition,
  type MeritSearch,
} from './merit-search.js';
import { User } from './user.entity.js';

@Injectable()
export class CoachRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** The positions of the first `limit` matches after a position, in the order of the directory. */
  search(search: CoachSearch): Promise<DirectoryPosition[]> {
    return this.page(search, lookThrough, askIndex);
  }

  /** The same in the order by merit; each position names the time whose order the list has. */
  searchByMerit(search: MeritSearch): Promise<MeritPosition[]> {
    return this.page(search, lookThroughMerits, askIndexForMerits);
  }

  /** Removes the replaced merits that no list needs any more. */
  async purgeFormerMerits(stopping: AbortSignal): Promise<void> {
    const where = `until < statement_timestamp() - ${FORMER_MERITS_KEPT}`;
    await deleteInBatches(this.dataSource, { table: 'former_merits', where, oldestBy: 'until' }, stopping);
  }

  /** The users among `ids` who are still listed coaches, in the order of `ids`. */
  async listed(ids: readonly string[]): Promise<User[]> {
    const users = await this.dataSource
      .getRepository(User)
      .findBy({ id: In(ids), isCoach: true, status: 'active' });
    const byId = new Map(users.map((user) => [user.id, user]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  /** By a scan in order; if that does not fill the page of a search with filters, by the index. */
  private async page<Search extends CoachFilter & { limit: number }, Position>(
    search: Search,
    scan: (search: Search) => Statement,
    index: (search: Search) => Statement,
  ): Promise<Position[]> {
    const found = await this.run<Position>(scan(search));
    const everything = search.text === '' && search.specialty === '';
    if (everything || found.length === search.limit) return found;
    return this.run(index(search));
  }

  private run<Position>({ sql, parameters }: Statement): Promise<Position[]> {
    return this.dataSource.query<Position[]>(sql, parameters);
  }
}
