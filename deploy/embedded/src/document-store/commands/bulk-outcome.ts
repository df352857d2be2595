import { Int32, type Document } from 'bson';
import { CommandError } from '../rules/command-error.js';

/** Runs the entries of a bulk write and collects the refusals; an ordered one stops at its first. */
export class BulkOutcome {
  private readonly writeErrors: Document[] = [];

  constructor(private readonly body: Document) {}

  each<Entry>(entries: Entry[], write: (entry: Entry, index: number) => void): void {
    for (const [index, entry] of entries.entries()) {
      try {
        write(entry, index);
      } catch (error) {
        if (!(error instanceof CommandError)) throw error;
        const { code, details, message } = error;
        this.writeErrors.push({ index: new Int32(index), code, ...details, errmsg: message });
        if (this.body['ordered'] !== false) return;
      }
    }
  }

  toReply(): Document {
    return this.writeErrors.length > 0 ? { writeErrors: this.writeErrors } : {};
  }
}
