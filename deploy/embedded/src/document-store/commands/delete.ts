import { Int32, type Document } from 'bson';
import { ENTRIES } from '../rules/allow-list.js';
import { failedToParse } from '../rules/command-error.js';
import { parseFilter } from '../query/filter-parser.js';
import { FindQuery } from '../query/find-query.js';
import { decodeDocument } from '../values/bson-values.js';
import { BulkOutcome } from './bulk-outcome.js';
import type { Command } from './command.js';
import { countField, deadlineOf, entriesOf, namespaceOf } from './command-fields.js';

export const deleteCommand: Command = (body, { catalog, sequences }) => {
  const namespace = namespaceOf(body);
  const deadline = deadlineOf(body);
  const entries = entriesOf(body, sequences, 'delete.deletes', ENTRIES['delete.deletes']);
  return catalog.storage.write(() => {
    const outcome = new BulkOutcome(body);
    let deleted = 0;
    outcome.each(entries, (entry) => {
      const limit = countField(entry, 'limit', 0);
      if (limit > 1) throw failedToParse(`The limit field in delete objects must be 0 or 1. Got ${limit}`);
      const filter = parseFilter(entry['q'] as Document);
      const collection = catalog.find(namespace);
      if (!collection) return;
      for (const raw of new FindQuery(collection, { filter, limit, deadline }).all()) {
        collection.delete(decodeDocument(raw));
        deleted++;
      }
    });
    return { n: new Int32(deleted), ...outcome.toReply() };
  });
};
