import { hiddenFrom } from '@pulso/platform/postgres/block-projection';
import { Parameters, type Statement } from './coach-search.js';
import { nameAfter, type NamePlace } from './name-in-cursor.js';

/** Where a person stands in a people search: by rank, then by folded name, then by id. */
export interface PersonPosition {
  /** 0: this is their username, 1: their username begins so, 2: their name begins so, 3: all others. */
  rank: number;
  foldedName: string;
  id: string;
}

export interface PeopleSearch {
  /** A substring of name or username, as typed; not empty. */
  text: string;
  viewerId: string;
  after: (NamePlace & Pick<PersonPosition, 'rank'>) | undefined;
  limit: number;
}

/** SQL: what a person is found by. No text that is searched for has a line break, so none matches across the two. */
export const PERSON_TEXT = String.raw`(folded_name || E'\n' || username)`;

/** With more matches than this, the scan in name order is faster than reading and sorting what the index returns. */
const MAX_GATHERED = 500;
/** No text has a character behind this one. */
const LAST_CHARACTER = 'chr(1114111)';

/**
 * A page of a people search (PEOPLE-17) is the first `limit` rows of these statements, run one after the other until
 * the page is full. Each one has an index that contains all it needs, and each returns rows in the order of the page.
 */
export function peopleStatements(search: PeopleSearch): Statement[] {
  const all = [byUsername, byNameStart, byAnyPart];
  const rank = search.after?.rank ?? 0;
  return all.slice(Math.max(0, rank - 1)).map((statement) => statement(search));
}

/**
 * Ranks 0 and 1. Matches are read first and sorted then: in the order of names they may all come late. Where they are
 * many, they come soon.
 */
export function byUsername(search: PeopleSearch): Statement {
  const { parameters, query, listed, page } = parts(search);
  const { after } = search;
  const behind = after
    ? `WHERE (rank, folded_name, id) > (${[
        parameters.add(after.rank, 'integer'),
        nameAfter(after, parameters),
        parameters.add(after.id, 'uuid'),
      ].join(', ')})`
    : '';
  const many = `(SELECT count(*) FROM gathered) > ${MAX_GATHERED}`;
  // As a CASE, since PostgreSQL expects so few to begin so that it would sort them all.
  const manyBegin = `CASE WHEN starts_with(username, ${query}) THEN true ELSE false END`;
  const sql = `
    WITH gathered AS MATERIALIZED (
      SELECT (username <> ${query})::integer AS rank, folded_name, id FROM users
      WHERE ${listed} AND ${within('username COLLATE "C"', query)} LIMIT ${MAX_GATHERED + 1}
    ), exact AS MATERIALIZED (
      SELECT 0 AS rank, folded_name, id FROM users WHERE ${many} AND ${listed} AND username COLLATE "C" = ${query}
    ), scanned AS MATERIALIZED (
      SELECT 1 AS rank, folded_name, id FROM users
      WHERE ${many} AND ${listed} AND ${manyBegin} AND username <> ${query}
        ${behindName(search, 1, parameters)}
      ORDER BY folded_name, id ${page}
    ), found AS (
      SELECT * FROM gathered WHERE NOT ${many} UNION ALL SELECT * FROM exact UNION ALL SELECT * FROM scanned
    )
    SELECT rank, folded_name AS "foldedName", id FROM found ${behind} ORDER BY rank, folded_name, id ${page}`;
  return { sql, parameters: parameters.values };
}

/** Rank 2: a part of the order of names. */
export function byNameStart(search: PeopleSearch): Statement {
  const { parameters, query, listed, page } = parts(search);
  const sql = `
    SELECT 2 AS rank, folded_name AS "foldedName", id FROM users
    WHERE ${listed} AND ${within('folded_name', query)} AND NOT starts_with(username, ${query})
      ${behindName(search, 2, parameters)}
    ORDER BY folded_name, id ${page}`;
  return { sql, parameters: parameters.values };
}

/** Rank 3, by the text index; of frequent texts by a scan in the order of names, which soon fills a page. */
export function byAnyPart(search: PeopleSearch): Statement {
  const { parameters, query, listed, page } = parts(search);
  const behind = behindName(search, 3, parameters);
  const matches = [
    listed,
    `strpos(${PERSON_TEXT}, ${query}) > 0`,
    `NOT starts_with(folded_name, ${query}) AND NOT starts_with(username, ${query})`,
  ].join(' AND ');
  const sql = `
    WITH gathered AS MATERIALIZED (
      SELECT folded_name, id FROM users
      WHERE ${matches} AND directory_keys(${PERSON_TEXT}) @> directory_query_keys(${query}) ${behind}
      LIMIT ${MAX_GATHERED + 1}
    ), scanned AS MATERIALIZED (
      SELECT folded_name, id FROM users
      WHERE (SELECT count(*) FROM gathered) > ${MAX_GATHERED} AND ${matches} ${behind} ORDER BY folded_name, id ${page}
    ), found AS (
      SELECT folded_name, id FROM gathered WHERE (SELECT count(*) FROM gathered) <= ${MAX_GATHERED}
      UNION ALL SELECT folded_name, id FROM scanned
    )
    SELECT 3 AS rank, folded_name AS "foldedName", id FROM found ORDER BY folded_name, id ${page}`;
  return { sql, parameters: parameters.values };
}

function parts({ text, viewerId, limit }: PeopleSearch) {
  const parameters = new Parameters();
  const query = `fold_text(${parameters.add(text, 'text')})`;
  const listed = `status = 'active' AND id NOT IN (${hiddenFrom(parameters.add(viewerId, 'uuid'))})`;
  const page = `LIMIT ${parameters.add(limit, 'integer')}`;
  return { parameters, query, listed, page };
}

/** SQL: the texts that begin with the query, as a part of an index in the order of characters. */
const within = (column: string, query: string) =>
  `${column} >= ${query} AND ${column} < ${query} || ${LAST_CHARACTER}`;

function behindName({ after }: PeopleSearch, rank: number, parameters: Parameters): string {
  if (after?.rank !== rank) return '';
  const name = nameAfter(after, parameters);
  return `AND (folded_name, id) > (${name}, ${parameters.add(after.id, 'uuid')})`;
}
