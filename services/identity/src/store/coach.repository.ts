import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { deleteInBatches } from '@pulso/platform/jobs/delete-in-batches';
import { statement, Statements } from '@pulso/platform/postgres/statements';
import { DataSource } from 'typeorm';
import {
  type CoachFilter,
  type CoachSearch,
  type DirectoryPosition,
  type PageStatement,
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
import { DIRECTORY, DirectoryRows, hiddenRow } from './directory-rows.js';
import { type ShownUser, shownUser } from './shown-user.js';

@Injectable()
export class CoachRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly statements: Statements,
    private readonly pages: DirectoryRows,
  ) {}

  /** The first `limit` matches after a position, in the order of the directory. */
  search(search: CoachSearch): Promise<ListedCoach<DirectoryPosition>[]> {
    return this.kept('by name', search, () => this.page(search, lookThrough, askIndex));
  }

  /** The same in the order by merit; each position names the time whose order the list has. */
  searchByMerit(search: MeritSearch): Promise<ListedCoach<MeritPosition>[]> {
    return this.kept('by merit', search, () => this.page(search, lookThroughMerits, askIndexForMerits));
  }

  /** Removes the replaced merits that no list needs any more. */
  async purgeFormerMerits(stopping: AbortSignal): Promise<void> {
    const where = `until < statement_timestamp() - ${FORMER_MERITS_KEPT}`;
    await deleteInBatches(this.dataSource, { table: 'former_merits', where, oldestBy: 'until' }, stopping);
  }

  /** The first page comes from memory while nobody who could be on it changes: later ones are rarely asked for twice. */
  private async kept<Search extends CoachFilter & { after: unknown }, Position>(
    order: string,
    search: Search,
    load: () => Promise<ListedCoach<Position>[]>,
  ): Promise<ListedCoach<Position>[]> {
    if (search.after !== undefined) return load();
    const { viewerId } = search;
    const rows = viewerId === null ? [DIRECTORY] : [DIRECTORY, hiddenRow(viewerId)];
    const page = await this.pages.read(`${order} ${JSON.stringify(search)}`, () => rows, load);
    return page!;
  }

  /** By a scan in order; if that neither fills the page nor reads the whole directory, by the index. */
  private async page<Search extends CoachFilter & { limit: number }, Position>(
    search: Search,
    scan: (search: Search) => PageStatement,
    index: (search: Search) => PageStatement,
  ): Promise<ListedCoach<Position>[]> {
    const scanned = scan(search);
    const text = listing(scanned);
    // Prepared: to plan it takes longer than to run it. Of the index, the plan depends on the text that is searched for.
    const named = statement<Listed<Position>>(nameOf(text), text);
    const found = await this.statements.rows(named, scanned.parameters);
    const coaches = coachesOf(found);
    if (coaches.length === search.limit || !found[0]!.more) return coaches;
    const asked = index(search);
    return coachesOf(await this.dataSource.query<Listed<Position>[]>(listing(asked), asked.parameters));
  }
}

/** A coach of the directory as shown, and the position. */
export interface ListedCoach<Position> {
  /** Undefined for one who is not listed any more. */
  coach: ShownUser | undefined;
  position: Position;
}

/** Without any coach, one row without a position. */
type Listed<Position> = { [Field in keyof ShownUser]: ShownUser[Field] | null } & {
  position: Position | null;
  more: boolean;
};

/** SQL: the coaches at the positions that a statement finds, in its order. */
const listing = ({ sql, order, more }: PageStatement) => `
  WITH found AS MATERIALIZED (${sql})
  SELECT rest.more, to_jsonb(found) AS position, ${shownUser('users')}
  FROM (SELECT ${more} AS more) AS rest LEFT JOIN found ON true LEFT JOIN users
    ON users.id = found.id AND users.is_coach AND users.status = 'active'
  ORDER BY ${order}`;

const nameOf = (text: string) => `coaches-${createHash('sha1').update(text).digest('base64url')}`;

const coachesOf = <Position>(rows: readonly Listed<Position>[]): ListedCoach<Position>[] =>
  rows.flatMap(({ position, more: _more, ...user }) =>
    position === null ? [] : [{ position, coach: user.id === null ? undefined : (user as ShownUser) }],
  );
