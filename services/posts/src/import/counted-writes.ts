import { Injectable } from '@nestjs/common';
import { type ImportedKind, type ImportedSize, ImportRepository } from '../store/import.repository.js';

/** What came of one: `there` already, when another request has written it meanwhile; `gone` with its post. */
export type Outcome = 'written' | 'there' | 'gone';

/** A post or comment to write; `textBytes` is the length of all its texts in UTF-8. */
interface Counted {
  readonly id: string;
  readonly textBytes: number;
}

interface Writing<Item> {
  write(item: Item): Promise<Outcome>;
  /** Those among `ids` that are known. */
  find(ids: readonly string[]): Promise<ReadonlyMap<string, boolean>>;
}

/** Writes the pieces of imports within LIMIT-21. */
@Injectable()
export class CountedWrites {
  constructor(private readonly imports: ImportRepository) {}

  /**
   * Counts all items, then writes them at once; what was not written counts no more. Throws what `reserve` throws, and the first
   * error of a write once all have ended.
   */
  async writeAll<Item extends Counted>(
    userId: string,
    kind: ImportedKind,
    items: readonly Item[],
    { write, find }: Writing<Item>,
  ): Promise<Outcome[]> {
    await this.imports.reserve(userId, kind, sizeOf(items));
    const results = await Promise.allSettled(items.map((item) => write(item)));
    const failed = results.flatMap((result) => (result.status === 'rejected' ? [result] : []));
    // A write may have failed after its row was there.
    const known = failed.length === 0 ? undefined : await find(items.map(({ id }) => id));
    const isWritten = (result: PromiseSettledResult<Outcome>, { id }: Item) =>
      result.status === 'fulfilled' ? result.value === 'written' : known?.has(id);
    const unwritten = items.filter((item, index) => !isWritten(results[index]!, item));
    await this.imports.giveBack(userId, kind, sizeOf(unwritten));
    if (failed[0]) throw failed[0].reason;
    return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  }
}

const sizeOf = (items: readonly Counted[]): ImportedSize => ({
  count: items.length,
  textBytes: items.reduce((sum, { textBytes }) => sum + textBytes, 0),
});
