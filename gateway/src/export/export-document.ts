import type { ExportUserPage } from '@pulso/contracts/common/v1/export';
import { EXPORT_END } from '@pulso/contracts/export-format';
import type { ServiceName } from '@pulso/contracts/rpc';
import { EXPORT_VERSION } from './export.dto.js';

export interface ExportParts {
  userId: string;
  /** ISO 8601. */
  exportedAt: string;
  /** The first page of each service. */
  heads: ReadonlyMap<ServiceName, ExportUserPage>;
  /** The page of a service after the one with this cursor. */
  next(service: ServiceName, cursor: string): Promise<ExportUserPage>;
}

/**
 * The text of the document, page by page (ADR 21). Later pages are asked for when the reader has taken those before. Throws what `next`
 * throws: the text that has been given is then no valid JSON.
 */
export async function* exportDocument({ heads, next, ...about }: ExportParts): AsyncGenerator<string> {
  const { userId, exportedAt } = about;
  const head = JSON.stringify({ format: 'pulso-export', version: EXPORT_VERSION, userId, exportedAt });
  yield `${head.slice(0, -1)},"services":{`;
  let separator = '';
  for (const [service, first] of heads) {
    yield `${separator}${JSON.stringify(service)}:{`;
    yield* partOf(first, (cursor) => next(service, cursor));
    yield '}';
    separator = ',';
  }
  yield `}${EXPORT_END}`;
}

/** The sections of a service. */
async function* partOf(
  first: ExportUserPage,
  next: (cursor: string) => Promise<ExportUserPage>,
): AsyncGenerator<string> {
  let section: string | undefined;
  for (let page = first; ; page = await next(page.nextCursor)) {
    let text = '';
    for (const row of page.rows) {
      if (row.section === section) text += ',';
      else text += `${section === undefined ? '' : '],'}${JSON.stringify(row.section)}:[`;
      text += row.json;
      section = row.section;
    }
    if (text !== '') yield text;
    if (page.nextCursor === '') break;
  }
  if (section !== undefined) yield ']';
}
