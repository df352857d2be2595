import type { ExportUserPage, ExportUserRequest } from '@pulso/contracts/common/v1/export';
import { type CursorSealer, invalidCursor } from '../auth/sealed-cursor.js';
import { requireCaller } from '../context/request-context.js';

/** A row of a user, as the export shows it. */
export interface ExportedRow {
  /** Where the next page goes on; later rows of the section have later keys. */
  key: string;
  /** A JSON object; undefined where the user's lists leave the row out, so that the export tells nothing that they hide. */
  json: string | undefined;
}

/** One kind of rows that a service holds of users. */
export interface ExportedSection {
  /** In the document, unique within the service. */
  readonly name: string;
  /** The next rows of the user after the one with the key `after`, in the order of their keys, at most `limit`. */
  list(userId: string, after: string | undefined, limit: number): Promise<readonly ExportedRow[]>;
}

/** Of a page, all sections together, with rows that are left out. */
const MAX_ROWS = 200;
/** Of the texts of a page, in UTF-16 units: far below what a message may have. A single longer row is a page. */
const MAX_LENGTH = 256 * 1024;
const LIST = 'export';

/**
 * A page of all that the sections hold of the caller (ADR 21). Throws `not-authenticated` without a caller, and `invalid-cursor` for one of
 * somebody else or of a section that is gone.
 */
export async function exportPage(
  sections: readonly ExportedSection[],
  sealer: CursorSealer,
  { cursor }: ExportUserRequest,
): Promise<ExportUserPage> {
  const { userId } = requireCaller();
  const from = cursor === '' ? undefined : (sealer.open(LIST, userId, cursor) as [string, string]);
  const rows: ExportUserPage['rows'] = [];
  let read = 0;
  let length = 0;
  let after = from?.[1] || undefined;
  for (const section of sectionsFrom(sections, from?.[0])) {
    const limit = MAX_ROWS - read;
    // One more tells whether there is a next page.
    const found = await section.list(userId, after, limit + 1);
    for (const [index, { key, json }] of found.entries()) {
      const isFull = index === limit || (rows.length > 0 && length + (json?.length ?? 0) > MAX_LENGTH);
      // The first row of a section has none before it: the next page begins with the section.
      if (isFull) return { rows, nextCursor: sealer.seal(LIST, userId, [section.name, after ?? '']) };
      if (json !== undefined) {
        rows.push({ section: section.name, json });
        length += json.length;
      }
      read += 1;
      after = key;
    }
    after = undefined;
  }
  return { rows, nextCursor: '' };
}

function sectionsFrom(
  sections: readonly ExportedSection[],
  name: string | undefined,
): readonly ExportedSection[] {
  if (name === undefined) return sections;
  const index = sections.findIndex((section) => section.name === name);
  // Renamed by another version, while an export was under way.
  if (index === -1) throw invalidCursor();
  return sections.slice(index);
}
