import { Int32, type Document } from 'bson';
import { CommandError } from './command-error.js';

export function isOrdered(body: Document): boolean {
  const ordered: unknown = body['ordered'] ?? true;
  if (typeof ordered !== 'boolean') throw new CommandError(14, "BSON field 'ordered' must be a bool");
  return ordered;
}

/** Runs the entries of a bulk write and collects the refusals; an ordered one stops at its first. */
export class BulkOutcome {
  private readonly writeErrors: Document[] = [];

  constructor(private readonly ordered: boolean) {}

  each<Entry>(entries: Entry[], write: (entry: Entry, index: number) => void): void {
    for (const [index, entry] of entries.entries()) {
      try {
        write(entry, index);
      } catch (error) {
        if (!(error instanceof CommandError)) throw error;
        this.writeErrors.push({
          index: new Int32(index),
          code: error.code,
          ...error.details,
          errmsg: error.message,
        });
        if (this.ordered) return;
      }
    }
  }

  toReply(): Document {
    return this.writeErrors.length > 0 ? { writeErrors: this.writeErrors } : {};
  }
}
