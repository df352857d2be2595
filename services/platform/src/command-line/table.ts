import { visible } from './visible.js';

export type Cell = string | number | boolean | null;
export type Row = Readonly<Record<string, Cell>>;

/** Rows as the lines of a table with a head, or as a line of JSON each. The first row names the columns. */
export function linesOf(rows: readonly Row[], { json, empty }: { json: boolean; empty: string }): string[] {
  if (json) return rows.map((row) => JSON.stringify(row));
  if (rows.length === 0) return [empty];
  const names = Object.keys(rows[0]!);
  const lines = [names, ...rows.map((row) => names.map((name) => textOf(row[name] ?? null)))];
  const widths = names.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  return lines.map((line) =>
    line
      .map((text, column) => text.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
}

const textOf = (cell: Cell) => (cell === null || cell === '' ? '-' : visible(String(cell)));

export const timeText = (time: number | null) => (time === null ? null : new Date(time).toISOString());
