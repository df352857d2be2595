import { Int32, type Document } from 'bson';
import { CommandError } from '../rules/command-error.js';
import { parseFilter } from '../query/filter-parser.js';
import { FindQuery } from '../query/find-query.js';
import { decodeDocument } from '../values/bson-values.js';
import type { Command } from './command.js';
import { deadlineOf, namespaceOf } from './command-fields.js';
import { updateDocument, upsertDocument } from './document-update.js';
import { compileUpdate } from './update-operators.js';

export const findAndModify: Command = (body, { catalog }) => {
  const namespace = namespaceOf(body);
  if (body['remove'] === true)
    throw new CommandError(115, "the option 'remove' is not supported by this server");
  const filter = parseFilter((body['query'] as Document | undefined) ?? {});
  const change = compileUpdate(body['update'], new Date());
  const deadline = deadlineOf(body);
  return catalog.storage.write(() => {
    const collection = catalog.find(namespace);
    const [raw] = collection ? new FindQuery(collection, { filter, limit: 1, deadline }).all() : [];
    if (raw) {
      const { after } = updateDocument(collection!, raw, change);
      return {
        lastErrorObject: { n: new Int32(1), updatedExisting: true },
        value: body['new'] ? after : decodeDocument(raw),
      };
    }
    if (!body['upsert']) return { lastErrorObject: { n: new Int32(0), updatedExisting: false }, value: null };
    const created = upsertDocument(catalog.findOrCreate(namespace), filter, change);
    return {
      lastErrorObject: { n: new Int32(1), updatedExisting: false, upserted: created['_id'] as unknown },
      value: body['new'] ? created : null,
    };
  });
};
