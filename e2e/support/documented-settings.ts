import { readFileSync } from 'node:fs';

/**
 * The settings in the tables of a document, which are the names in the first column, with the cell of the second column. `path` begins
 * at the repository's root.
 */
export function documentedReaders(path: string): Map<string, string> {
  const text = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
  const rows = text.split('\n').filter((line) => line.startsWith('| `'));
  return new Map(
    rows.flatMap((row) => {
      const [, names, readers] = row.split('|').map((cell) => cell.trim());
      return [...names!.matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name]) => [name!, readers!] as const);
    }),
  );
}

/** The settings in the tables of a document. */
export const documentedSettings = (path: string): Set<string> => new Set(documentedReaders(path).keys());
