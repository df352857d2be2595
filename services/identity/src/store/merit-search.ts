import {
  type CoachFilter,
  conditionsOf,
  foldedOnce,
  isLongerThanScan,
  type PageStatement,
  Parameters,
  SCANNED_COACHES,
} from './coach-search.js';

/** The position of a coach in the directory by merit, and the time whose order the list has. */
export interface MeritPosition {
  /** Rating × number of reviews, which is the sum of the ratings. */
  merit: number;
  followers: number;
  id: string;
  /** The database's clock when the first page was read, as PostgreSQL writes it. */
  at: string;
}

export interface MeritSearch extends CoachFilter {
  after: MeritPosition | undefined;
  limit: number;
}

/** Lists go on in their own order for this long; after that in the order of this long ago. */
export const FORMER_MERITS_KEPT = "interval '30 minutes'";

const MERIT_ORDER = '-merit, -followers, id';
const FOUND_ORDER = '-found.merit, -found.followers, found.id';

/** A page of the directory by merit (PEOPLE-15), found by scanning in order; see `lookThrough`. */
export function lookThroughMerits(search: MeritSearch): PageStatement {
  const parameters = new Parameters();
  const { specialty, shown, matches } = conditionsOf(search, parameters, foldedOnce);
  const conditions = [...matches, ...specialty.ofOne];
  const scanned = conditions.length === 0 ? search.limit : SCANNED_COACHES;
  const { at, merits } = meritsAt(search, parameters);
  const inOrder = (source: string) =>
    `(SELECT * FROM (${source}) AS part ${where(shown)} ORDER BY ${MERIT_ORDER} LIMIT ${scanned})`;
  const sql = `
    SELECT coach.*, ${at}::text AS at
    FROM ${inOrder(merits.map(inOrder).join(' UNION ALL '))} AS coach
    ${conditions.length === 0 ? '' : `WHERE ${fulfils(conditions)}`}
    ORDER BY ${MERIT_ORDER} LIMIT ${parameters.add(search.limit, 'integer')}`;
  const source = `(${merits.join(' UNION ALL ')}) AS part ${where(shown)}`;
  const more = conditions.length === 0 ? 'false' : isLongerThanScan(source);
  return { sql, parameters: parameters.values, order: FOUND_ORDER, more };
}

/** The same page from the text and specialty indexes. Only for searches with a filter. */
export function askIndexForMerits(search: MeritSearch): PageStatement {
  const parameters = new Parameters();
  const { specialty, shown, query } = conditionsOf(search, parameters);
  const { at, merits } = meritsAt(search, parameters);
  const contains = (column: string) =>
    query === undefined
      ? []
      : [`directory_keys(${column}) @> directory_query_keys(${query})`, `strpos(${column}, ${query}) > 0`];
  const columns = query === undefined ? [''] : ['folded_name', 'folded_about'];
  const found = columns.map(
    (column) =>
      `SELECT id FROM users ${where(["is_coach AND status = 'active'", ...specialty.ofAll, ...shown, ...contains(column)])}`,
  );
  const sql = `
    WITH found AS MATERIALIZED (${found.join(' UNION ')})
    SELECT merits.*, ${at}::text AS at FROM (${merits.join(' UNION ALL ')}) AS merits
    WHERE id IN (SELECT id FROM found)
    ORDER BY ${MERIT_ORDER} LIMIT ${parameters.add(search.limit, 'integer')}`;
  return { sql, parameters: parameters.values, order: FOUND_ORDER, more: 'false' };
}

/** SQL: the time of the list's order, and the merits of that time after the position, present ones and replaced ones. */
function meritsAt({ after }: MeritSearch, parameters: Parameters) {
  const at = after
    ? `greatest(${parameters.add(after.at, 'timestamptz')}, statement_timestamp() - ${FORMER_MERITS_KEPT})`
    : 'statement_timestamp()';
  const behind = after
    ? ` AND (-merit, -followers, user_id) > (${[
        parameters.add(-after.merit, 'integer'),
        parameters.add(-after.followers, 'integer'),
        parameters.add(after.id, 'uuid'),
      ].join(', ')})`
    : '';
  const columns = 'SELECT user_id AS id, merit, followers FROM';
  const merits = [
    `${columns} coach_merits WHERE since <= ${at}${behind}`,
    `${columns} former_merits WHERE since <= ${at} AND until > ${at}${behind}`,
  ];
  return { at, merits };
}

const where = (conditions: string[]) => (conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`);

const fulfils = (conditions: string[]) =>
  `EXISTS (SELECT FROM (SELECT id, folded_name, folded_about FROM users WHERE users.id = coach.id) AS person
     ${where(conditions)})`;
