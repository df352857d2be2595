import { readFileSync } from 'node:fs';

/** The settings in the tables of a document: the names in the first column. `path` begins at the repository's root. */
export function documentedSettings(path: string): Set<string> {
  const text = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
  const rows = text.split('\n').filter((line) => line.startsWith('| `'));
  const names = rows.flatMap((row) => [...row.split('|')[1]!.matchAll(/`([A-Z][A-Z0-9_]+)`/g)]);
  return new Set(names.map(([, name]) => name!));
}
