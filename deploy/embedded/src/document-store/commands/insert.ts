import { Int32 } from 'bson';
import { encodeDocument, isDocument } from '../bson-values.js';
import { CommandError, typeMismatch } from '../command-error.js';
import { assertFields, namespaceOf } from '../command-fields.js';
import type { Command, CommandContext } from '../command.js';
import type { Document } from 'bson';
import { BulkOutcome, isOrdered } from '../bulk-outcome.js';

export const insert: Command = (body, context) => {
  assertFields(body, ['documents', 'ordered', 'bypassDocumentValidation']);
  const namespace = namespaceOf(body);
  const ordered = isOrdered(body);
  const documents = rawDocuments(body, context);
  if (documents.length === 0 || documents.length > 100_000) {
    throw new CommandError(
      16,
      `Write batch sizes must be between 1 and 100000. Got ${documents.length} operations.`,
    );
  }
  const { catalog } = context;
  return catalog.storage.write(() => {
    const collection = catalog.findOrCreate(namespace);
    const outcome = new BulkOutcome(ordered);
    let inserted = 0;
    outcome.each(documents, (raw) => {
      collection.insert(raw);
      inserted++;
    });
    return { n: new Int32(inserted), ...outcome.toReply() };
  });
};

function rawDocuments(body: Document, { sequences }: CommandContext): Buffer[] {
  const sequence = sequences.get('documents');
  if (sequence) return sequence;
  const inBody: unknown = body['documents'];
  if (!Array.isArray(inBody)) throw typeMismatch("BSON field 'insert.documents' must be an array");
  return inBody.map((document: unknown) => {
    if (document instanceof Uint8Array) return Buffer.from(document);
    if (isDocument(document)) return encodeDocument(document);
    throw typeMismatch("BSON field 'insert.documents' must hold documents");
  });
}
