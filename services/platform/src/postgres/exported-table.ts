import type { ExportedRow, ExportedSection } from '../export/export-page.js';
import { statement, type Statements } from './statements.js';

/** Rows of one table that are shown in the export of a user. */
export interface ExportedTable {
  /** Of the section. */
  name: string;
  table: string;
  /** SQL: which rows are those of the user $1. */
  where: string;
  /** SQL: a unique key of these rows and its type, by which they are ordered. */
  key: string;
  keyType: 'uuid' | 'text';
  /** The names of the fields in the document, each with its SQL; a column's own name where the two differ by case alone. */
  fields: Readonly<Record<string, string>>;
}

/** The columns by the names that they have in the document: `created_at` is `createdAt`. */
export const columns = (...names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    names.map((name) => [name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()), name]),
  );

/** The section of a table. PostgreSQL writes the JSON: times in ISO 8601, null where there is nothing. */
export function exportedTable(statements: Statements, exported: ExportedTable): ExportedSection {
  const { name, table, where, key, keyType, fields } = exported;
  const pairs = Object.entries(fields).map(([field, sql]) => `'${field}', ${sql}`);
  // In the "C" collation a text's order depends on no locale.
  const ordered = keyType === 'text' ? `(${key}) COLLATE "C"` : `(${key})`;
  const listing = (which: string, more: string, limit: string) =>
    statement<ExportedRow>(
      `export.${name}.${which}`,
      `SELECT (${key})::text AS key, json_build_object(${pairs.join(', ')})::text AS json
       FROM ${table} WHERE (${where})${more} ORDER BY ${ordered} LIMIT ${limit}`,
    );
  const first = listing('first', '', '$2');
  const next = listing('next', ` AND ${ordered} > $2::${keyType}`, '$3');
  return {
    name,
    list: (userId, after, limit) =>
      after === undefined
        ? statements.rows(first, [userId, limit])
        : statements.rows(next, [userId, after, limit]),
  };
}
