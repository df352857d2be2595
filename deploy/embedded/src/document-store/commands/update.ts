import { Int32, type Document } from 'bson';
import { ENTRIES } from '../rules/allow-list.js';
import { parseFilter } from '../query/filter-parser.js';
import { FindQuery } from '../query/find-query.js';
import { BulkOutcome } from './bulk-outcome.js';
import type { Command } from './command.js';
import { deadlineOf, entriesOf, namespaceOf } from './command-fields.js';
import { updateDocument, upsertDocument } from './document-update.js';
import { compileUpdate } from './update-operators.js';

export const update: Command = (body, { catalog, sequences }) => {
  const namespace = namespaceOf(body);
  const deadline = deadlineOf(body);
  const entries = entriesOf(body, sequences, 'update.updates', ENTRIES['update.updates']);
  return catalog.storage.write(() => {
    const outcome = new BulkOutcome(body);
    const upserted: Document[] = [];
    let matched = 0;
    let modified = 0;
    outcome.each(entries, ({ q, u, multi, upsert }, index) => {
      const filter = parseFilter(q as Document);
      const change = compileUpdate(u, new Date());
      const collection = catalog.find(namespace);
      const query = collection && new FindQuery(collection, { filter, limit: multi ? 0 : 1, deadline });
      const found = query?.all() ?? [];
      let changed = 0;
      for (const raw of found) if (updateDocument(collection!, raw, change).modified) changed++;
      if (found.length === 0 && upsert) {
        const { _id } = upsertDocument(catalog.findOrCreate(namespace), filter, change);
        upserted.push({ index: new Int32(index), _id: _id as unknown });
        matched++;
      }
      // As on MongoDB, a failed entry is not counted, even if it has changed documents before.
      matched += found.length;
      modified += changed;
    });
    return {
      n: new Int32(matched),
      nModified: new Int32(modified),
      ...(upserted.length > 0 && { upserted }),
      ...outcome.toReply(),
    };
  });
};
