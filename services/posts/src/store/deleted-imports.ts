import { Injectable } from '@nestjs/common';
import { DeletedImportRows } from './deleted-import.schema.js';

interface Deleted {
  _id: string;
  authorId: string;
  /** Only of what was imported. */
  importedAt?: Date;
}

/** The ids of what a user has imported and deleted, so that no repetition of the import brings it back (ACCT-46). */
@Injectable()
export class DeletedImports {
  constructor(private readonly rows: DeletedImportRows) {}

  /** Called before the deletion: an id that is kept without one changes nothing, as what is there counts. */
  async keep({ _id, authorId, importedAt }: Deleted): Promise<void> {
    if (importedAt) await this.rows.insertIfNew({ _id, userId: authorId });
  }

  /** Those of a user among `ids` that are known, and whether each is there: `found` has what is stored of them. */
  async liveAmong(
    userId: string,
    ids: readonly string[],
    found: Promise<readonly { _id: string; live: boolean }[]>,
  ): Promise<Map<string, boolean>> {
    const [stored, kept] = await Promise.all([
      found,
      this.rows.find({ _id: { $in: [...ids] }, userId }, { projection: { _id: 1 }, limit: ids.length }),
    ]);
    const known = new Map<string, boolean>(kept.map(({ _id }) => [_id, false]));
    for (const { _id, live } of stored) known.set(_id, live);
    return known;
  }

  /** Of an account that is erased. */
  async forget(userId: string): Promise<void> {
    await this.rows.raw.deleteMany({ userId });
  }
}
