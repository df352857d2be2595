import type { Run } from './rebuilds.js';
import { statement, type Statement } from './statements.js';

/** A row of a projection, made from a state. */
export interface IncomingRow {
  table: string;
  /** Column names and values of the primary key. */
  key: Readonly<Record<string, unknown>>;
  fields: Readonly<Record<string, unknown>>;
  /** The boolean fields of `fields` that stay true once any state has set them. */
  ever: readonly string[];
  version: number;
  /** Whether a republication includes the state. */
  republished: boolean;
  /** That republication, if it rebuilds the table; otherwise its states are written as ordinary events. */
  run: Run | undefined;
  /** SQL over `known`: the existing row is replaced only if this holds; a named form of the statement. */
  where?: { name: string; condition: string };
}

export interface RowWriting {
  writing: Statement<{ version: string }>;
  values: unknown[];
}

/**
 * SQL: the versions above this, which are microseconds since the epoch, are of the future. A version an hour ahead of the
 * database's clock is a defect, not clock skew.
 */
const FUTURE = "(extract(epoch FROM clock_timestamp() + interval '1 hour') * 1000000)";

/**
 * Writes the row if its state wins against the existing row; returns the `version` of a written row.
 *
 * An event wins if it is newer. It also wins against a row of the future, which would otherwise block all events; not if
 * it is of the future itself, since then the row is newer by the same clock. An event of the row's version only sets
 * `changed_at`: the owner has the row after all.
 *
 * A republished state is written like an event if its republication, or a later one, has confirmed the row before. Otherwise a republished state wins whatever the version of the row, and its run confirms the row. The one
 * exception is an existing row that is newer *and* was written after the run began: it stays and is confirmed too, because
 * the republished states include every earlier change. Both times come from the database's clock.
 */
export function writeRow(row: IncomingRow): RowWriting {
  const { table, key, fields, ever, version, republished, run, where } = row;
  const parameters: unknown[] = [];
  const parameter = (value: unknown) => `$${parameters.push(value)}`;
  const values = { ...key, ...fields, version, confirmed_by: run?.run ?? null };
  const names = Object.keys(values);
  const places = Object.values(values).map(parameter);

  const newer = `(known.version < excluded.version OR (known.version > ${FUTURE} AND excluded.version <= ${FUTURE}))`;
  const confirmedBefore = run ? 'coalesce(known.confirmed_by >= excluded.confirmed_by, false)' : 'true';
  const changedSince = run
    ? `(known.version > excluded.version AND known.changed_at >= ${parameter(run.openedAt)}::timestamptz)`
    : 'false';
  const wins = `(CASE WHEN ${confirmedBefore} THEN ${newer} ELSE NOT ${changedSince} END)`;
  const toldAgain = republished ? 'false' : 'known.version = excluded.version';
  const gains = ever.map((name) => `(excluded.${name} AND NOT known.${name})`);

  const replaced = [...Object.keys(fields).filter((name) => !ever.includes(name)), 'version'];
  const changes = [
    ...replaced.map((name) => `${name} = CASE WHEN ${wins} THEN excluded.${name} ELSE known.${name} END`),
    ...ever.map(
      (name) => `${name} = excluded.${name} OR (known.${name} AND (${confirmedBefore} OR ${changedSince}))`,
    ),
    `changed_at = CASE WHEN ${wins} OR ${toldAgain} THEN excluded.changed_at ELSE known.changed_at END`,
    'confirmed_by = greatest(known.confirmed_by, excluded.confirmed_by)',
  ];
  const sql = `
    INSERT INTO ${table} AS known (${names.join(', ')}, changed_at)
    VALUES (${places.join(', ')}, clock_timestamp())
    ON CONFLICT (${Object.keys(key).join(', ')}) DO UPDATE SET ${changes.join(', ')}
    WHERE (${[`NOT ${confirmedBefore}`, newer, toldAgain, ...gains].join(' OR ')}) AND ${where?.condition ?? 'true'}
    RETURNING known.version`;
  // A table has these few statements: its columns are those of its projection.
  const name = `project-${table}${run ? '-rebuild' : ''}${republished ? '-again' : ''}${where ? `-${where.name}` : ''}`;
  return { writing: statement(name, sql), values: parameters };
}
