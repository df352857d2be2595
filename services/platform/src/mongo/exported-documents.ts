import type { mongo } from 'mongoose';
import type { ExportedSection } from '../export/export-page.js';
import type { CollectionReads, StoredDocument } from './collection.js';

/** Documents of one collection that are shown in the export of a user. */
export interface ExportedDocuments<D extends StoredDocument> {
  /** Of the section. */
  name: string;
  rows: Pick<CollectionReads<D>, 'find'>;
  /** Which documents are those of the user. An index has them in the order of `_id`. */
  of(userId: string): mongo.Filter<D>;
  /** Which of these documents the user's lists show: all unless given. */
  shownOf?(userId: string, documents: readonly D[]): Promise<(document: D) => boolean>;
  /** What the document shows of one; times become ISO 8601. */
  show(document: D): object;
}

const ALL = () => Promise.resolve(() => true);

export function exportedDocuments<D extends StoredDocument>(exported: ExportedDocuments<D>): ExportedSection {
  const { name, rows, of, show, shownOf = ALL } = exported;
  return {
    name,
    async list(userId, after = '', limit) {
      const filter = { ...of(userId), _id: { $gt: after } } as mongo.Filter<D>;
      const found = await rows.find(filter, { sort: { _id: 1 }, limit });
      const isShown = await shownOf(userId, found);
      return found.map((document) => ({
        key: document._id,
        json: isShown(document) ? JSON.stringify(show(document)) : undefined,
      }));
    },
  };
}
