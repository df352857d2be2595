import { hiddenFrom } from '@pulso/platform/postgres/block-projection';
import { NIL_ID } from '@pulso/platform/ids/uuid-v7';
import { nameAfter, type NamePlace } from './name-in-cursor.js';

/** The position of a coach in the directory: by folded name, then by id. */
export interface DirectoryPosition {
  foldedName: string;
  id: string;
}

/** The filters of the directory, whatever its order. */
export interface CoachFilter {
  /** A substring of name, bio or a specialty, as typed; empty for all. */
  text: string;
  /** One of the coach's specialties as a whole, in any form of its letters; empty for any. */
  specialty: string;
  /** Null for a visitor. */
  viewerId: string | null;
}

/** The filters and the position of a page of the directory. */
export interface CoachSearch extends CoachFilter {
  after: NamePlace | undefined;
  limit: number;
}

export interface Statement {
  sql: string;
  parameters: unknown[];
}

/** A statement that finds positions of the directory. */
export interface PageStatement extends Statement {
  /** SQL: the order of the page, where its rows are called `found`. */
  order: string;
  /** SQL: whether it may have left out coaches who match. */
  more: string;
}

const NAME_ORDER = 'found."foldedName", found.id';

/** How many coaches are scanned before the text index is used: about a millisecond of work. */
export const SCANNED_COACHES = 1_000;
/** With more matches than this, a scan in name order is faster than reading and sorting what the index returns. */
const MAX_GATHERED_NAMES = 500;
const MAX_GATHERED_NAMES_OF_SPECIALTY = 20_000;

/**
 * The coaches after the position, scanned in order. Without filters this is the whole search. With filters it fills
 * the page when many coaches match; in that case the text index would have to read and sort all of them.
 */
export function lookThrough(search: CoachSearch): PageStatement {
  const { parameters, conditions, page, matches, specialty } = parts(search, foldedOnce);
  const filters = [...matches, ...specialty.ofOne, ...conditions.filters];
  const everything = search.text === '' && search.specialty === '';
  const sql = everything
    ? `SELECT id, folded_name AS "foldedName" FROM users WHERE ${all(conditions.listed, filters)} ${page}`
    : `SELECT id, folded_name AS "foldedName" FROM (
           SELECT id, folded_name, folded_about FROM users
           WHERE ${all(conditions.listed)} ORDER BY folded_name, id LIMIT ${SCANNED_COACHES}
         ) AS coach WHERE ${all(filters)} ${page}`;
  const more = everything
    ? 'false'
    : isLongerThanScan(`users WHERE ${all(conditions.listed)} ORDER BY folded_name, id`);
  return { sql, parameters, order: NAME_ORDER, more };
}

/** The same page from the text and specialty indexes. Only for searches with a filter. */
export function askIndex(search: CoachSearch): PageStatement {
  const { parameters, conditions, page, query, specialty } = parts(search);
  const answer = { parameters, order: NAME_ORDER, more: 'false' };
  const having = (wanted: string[], ...more: string[]) =>
    all(conditions.listed, wanted, conditions.filters, more);
  const where = (...more: string[]) => having(specialty.ofAll, ...more);
  const select = 'SELECT id, folded_name FROM users WHERE';
  const result = (source: string) => `SELECT id, folded_name AS "foldedName" FROM ${source} ${page}`;
  if (!query) {
    const sql = `WITH found AS MATERIALIZED (${select} ${where()}) ${result('found')}`;
    return { sql, ...answer };
  }
  const contains = (column: string) => [
    `directory_keys(${column}) @> directory_query_keys(${query})`,
    `strpos(${column}, ${query}) > 0`,
  ];
  // Long runs of the directory, sorted by name, have the same first name. These are scanned in the index of names
  // alone, which does not contain specialties. A match in the bio says little about the name, so frequent words of
  // bios have already been found by the scan.
  const namesGathered = search.specialty === '' ? MAX_GATHERED_NAMES : MAX_GATHERED_NAMES_OF_SPECIALTY;
  const sql = `
    WITH named AS MATERIALIZED (
      ${select} ${where(...contains('folded_name'))} LIMIT ${namesGathered + 1}
    ), walked AS MATERIALIZED (
      ${select} (SELECT count(*) FROM named) > ${namesGathered}
        AND ${having(specialty.ofOne, `strpos(folded_name, ${query}) > 0`)} ${page}
    ), about AS MATERIALIZED (
      ${select} ${where(...contains('folded_about'))}
    ), found AS (
      SELECT id, folded_name FROM named WHERE (SELECT count(*) FROM named) <= ${namesGathered}
      UNION SELECT id, folded_name FROM walked
      UNION SELECT id, folded_name FROM about
    )
    ${result('found')}`;
  return { sql, ...answer };
}

/** SQL: whether a source has more rows than are scanned. */
export const isLongerThanScan = (source: string) =>
  `EXISTS (SELECT FROM ${source} OFFSET ${SCANNED_COACHES})`;

type Folding = (text: string) => string;

/** SQL: the folded text, which the planner knows: the indexes need it. */
const folded: Folding = (text) => `fold_text(${text})`;
/**
 * SQL: the same, folded once for all rows. The planner does not know it, so it need not fold it, and a prepared plan
 * serves every text.
 */
export const foldedOnce: Folding = (text) => `(SELECT ${folded(text)})`;

function parts(search: CoachSearch, fold = folded) {
  const { after, limit } = search;
  const parameters = new Parameters();
  const place = after ?? { foldedName: '', id: NIL_ID };
  const position = `(${nameAfter(place, parameters)}, ${parameters.add(place.id, 'uuid')})`;
  const listed = ["is_coach AND status = 'active'", `(folded_name, id) > ${position}`];
  const { specialty, shown, matches, query } = conditionsOf(search, parameters, fold);
  const page = `ORDER BY folded_name, id LIMIT ${parameters.add(limit, 'integer')}`;
  return {
    parameters: parameters.values,
    conditions: { listed, filters: shown },
    specialty,
    matches,
    query,
    page,
  };
}

/**
 * SQL: the conditions of a filter on a user's row. `specialty` and `shown` need only the user's id; `query` is the folded text,
 * undefined without one.
 */
export function conditionsOf(
  { text, specialty, viewerId }: CoachFilter,
  parameters: Parameters,
  fold = folded,
) {
  const key = specialty === '' ? undefined : `comparison_key(${parameters.add(specialty, 'text')})`;
  const shown = viewerId === null ? [] : [`id NOT IN (${hiddenFrom(parameters.add(viewerId, 'uuid'))})`];
  const query = text === '' ? undefined : fold(parameters.add(text, 'text'));
  const matches = query ? [`(strpos(folded_name, ${query}) > 0 OR strpos(folded_about, ${query}) > 0)`] : [];
  return { specialty: specialtyConditions(key), shown, matches, query };
}

/**
 * SQL: that a coach has a specialty, by its key: `ofAll` lets the planner begin with those who have it, `ofOne` looks each row up,
 * for the few rows of a scan.
 */
function specialtyConditions(key: string | undefined) {
  if (key === undefined) return { ofAll: [], ofOne: [] };
  return {
    ofAll: [`id IN (SELECT user_id FROM user_specialties WHERE key = ${key})`],
    ofOne: [`(SELECT true FROM user_specialties WHERE user_id = id AND key = ${key} LIMIT 1)`],
  };
}

/** The parameters of a statement that is put together. */
export class Parameters {
  readonly values: unknown[] = [];

  /** SQL: the place of the value. */
  add(value: unknown, type: string): string {
    return `$${this.values.push(value)}::${type}`;
  }
}

const all = (...conditions: string[][]) => conditions.flat().join(' AND ');
