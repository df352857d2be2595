import type { DataDirectory } from './data-directory.js';
import type { Settings } from './settings.js';

/** Lines for the log of an installation that starts in spite of a fault. */
export function startWarnings(
  { isProduction }: Pick<Settings, 'isProduction'>,
  { seeded }: Pick<DataDirectory, 'seeded'>,
): string[] {
  if (!isProduction || !seeded) return [];
  return [
    'PULSO_DATA_DIR: it holds the demo, so anybody can sign in as one of its accounts, whose password is public',
  ];
}
