import type { Run } from './rebuilds.js';

/** A row of a projection as a state tells it. */
export interface ToldRow {
  table: string;
  /** Column names and values of the primary key. */
  key: Readonly<Record<string, unknown>>;
  fields: Readonly<Record<string, unknown>>;
  /** Those of `fields` that stay true once a state has said so. */
  ever: readonly string[];
  version: number;
  /** The republication that tells of it; undefined for an event of just now. */
  run: Run | undefined;
  /** A version above this one is a defect: the row must not keep out what happens until it is rebuilt. */
  future: number;
}

export interface Statement {
  sql: string;
  parameters: unknown[];
}

/**
 * Writes a row where the state wins against the one there is; returns the `version` of a row that was written.
 *
 * An event wins when it is newer. A state of a republication that has told of the row before, or of an earlier
 * republication, is no better than an event. Else it wins whatever version the row claims, and signs the row with its
 * run. Only a row that is newer *and* was written after the run had begun stays, signed too: the owner has read all that
 * was written before. Both times are the database's, so no two clocks are compared.
 */
export function writeRow({ table, key, fields, ever, version, run, future }: ToldRow): Statement {
  const parameters: unknown[] = [];
  const parameter = (value: unknown) => `$${parameters.push(value)}`;
  const values = { ...key, ...fields, version, confirmed_by: run?.run ?? null };
  const names = Object.keys(values);
  const places = Object.values(values).map(parameter);

  const newer = `(known.version < excluded.version OR known.version > ${parameter(future)}::bigint)`;
  const toldBefore = run ? 'coalesce(known.confirmed_by >= excluded.confirmed_by, false)' : 'true';
  const changedSince = run
    ? `(known.version > excluded.version AND known.changed_at >= ${parameter(run.openedAt)}::timestamptz)`
    : 'false';
  const wins = `(CASE WHEN ${toldBefore} THEN ${newer} ELSE NOT ${changedSince} END)`;
  const gains = ever.map((name) => `(excluded.${name} AND NOT known.${name})`);

  const replaced = [...Object.keys(fields).filter((name) => !ever.includes(name)), 'version', 'changed_at'];
  const changes = [
    ...replaced.map((name) => `${name} = CASE WHEN ${wins} THEN excluded.${name} ELSE known.${name} END`),
    ...ever.map(
      (name) => `${name} = excluded.${name} OR (known.${name} AND (${toldBefore} OR ${changedSince}))`,
    ),
    'confirmed_by = greatest(known.confirmed_by, excluded.confirmed_by)',
  ];
  const sql = `
    INSERT INTO ${table} AS known (${names.join(', ')}, changed_at)
    VALUES (${places.join(', ')}, clock_timestamp())
    ON CONFLICT (${Object.keys(key).join(', ')}) DO UPDATE SET ${changes.join(', ')}
    WHERE ${[`NOT ${toldBefore}`, newer, ...gains].join(' OR ')}
    RETURNING known.version`;
  return { sql, parameters };
}
