import type { ExportUserPage } from '@pulso/contracts/common/v1/export';
import type { ExportedRow, ExportedSection } from '../src/export/export-page.js';

/** More pages than any suite makes. */
const MAX_PAGES = 1_000;

/** All that a service tells of the caller of `ask`, by section. */
export async function everythingHeld(
  ask: (request: { cursor: string }) => Promise<ExportUserPage>,
): Promise<Record<string, Record<string, unknown>[]>> {
  const held: Record<string, Record<string, unknown>[]> = {};
  for (let cursor = '', pages = 0; pages < MAX_PAGES; pages += 1) {
    const page = await ask({ cursor });
    for (const { section, json } of page.rows)
      (held[section] ??= []).push(JSON.parse(json) as Record<string, unknown>);
    if (page.nextCursor === '') return held;
    cursor = page.nextCursor;
  }
  throw new Error(`An export has more than ${MAX_PAGES} pages`);
}

/** The names of sections that list other rows of the user when they are read one by one. */
export async function sectionsThatSkip(
  sections: readonly ExportedSection[],
  userId: string,
): Promise<string[]> {
  const wrong: string[] = [];
  for (const section of sections) {
    const atOnce = await section.list(userId, undefined, MAX_PAGES);
    const single: ExportedRow[] = [];
    for (let after: string | undefined; single.length <= atOnce.length;) {
      const [row] = await section.list(userId, after, 1);
      if (!row) break;
      single.push(row);
      after = row.key;
    }
    if (JSON.stringify(single) !== JSON.stringify(atOnce)) wrong.push(section.name);
  }
  return wrong;
}

const OF_USERS =
  '(^|_)(user|owner|author|coach|subscriber|follower|target|blocker|blocked|reviewer|reporter)_id$';

/**
 * The tables with a column of users' ids that `exported` does not show, copies of other services' states and
 * marks of erasures aside; sorted.
 */
export async function tablesLeftOut(
  exported: readonly { table: string }[],
  rows: (query: string, parameters: unknown[]) => Promise<{ name: string }[]>,
): Promise<string[]> {
  const found = await rows(
    `SELECT DISTINCT table_name AS name FROM information_schema.columns
     WHERE table_schema = current_schema() AND data_type = 'uuid' AND column_name ~ $1 AND table_name !~ '^known_|^erased_users$'
     ORDER BY table_name`,
    [OF_USERS],
  );
  const shown = new Set(exported.map(({ table }) => table));
  return found.map(({ name }) => name).filter((name) => !shown.has(name));
}
