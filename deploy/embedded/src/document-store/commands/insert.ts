import { Int32, type Document } from 'bson';
import { typeMismatch } from '../rules/command-error.js';
import { encodeDocument, isDocument } from '../values/bson-values.js';
import { BulkOutcome } from './bulk-outcome.js';
import type { Command, CommandContext } from './command.js';
import { assertBatchSize, namespaceOf } from './command-fields.js';

export const insert: Command = (body, context) => {
  const namespace = namespaceOf(body);
  const documents = rawDocuments(body, context);
  assertBatchSize(documents.length);
  const { catalog } = context;
  return catalog.storage.write(() => {
    const collection = catalog.findOrCreate(namespace);
    const outcome = new BulkOutcome(body);
    let inserted = 0;
    outcome.each(documents, (raw) => {
      collection.insert(raw);
      inserted++;
    });
    return { n: new Int32(inserted), ...outcome.toReply() };
  });
};

function rawDocuments(body: Document, { sequences }: CommandContext): Buffer[] {
  const inBody = (body['documents'] as unknown[] | undefined) ?? [];
  return (
    sequences.get('documents') ??
    inBody.map((document) => {
      if (document instanceof Uint8Array) return Buffer.from(document);
      if (isDocument(document)) return encodeDocument(document);
      throw typeMismatch("BSON field 'insert.documents' must hold documents");
    })
  );
}
