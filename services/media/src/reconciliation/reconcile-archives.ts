import { Injectable } from '@nestjs/common';
import { ObjectStore } from '@pulso/platform/objects/object-store';
import { archiveKeyOf } from '../store/archive.js';
import { type ArchiveRow, ArchiveRows } from '../store/archive-rows.js';
import { isOld, type ReconcileRun } from './reconcile-run.js';
import { type ArchiveObject, storedArchives } from './stored-objects.js';

const BATCH = 500;

/** Compares archives with their objects, both ways. Unlike files they can be made again, so no object of one is kept without a row. */
@Injectable()
export class ReconcileArchives {
  constructor(
    private readonly rows: ArchiveRows,
    private readonly objects: ObjectStore,
  ) {}

  areThere(): Promise<boolean> {
    return this.rows.areThere();
  }

  async execute(run: ReconcileRun): Promise<void> {
    let batch: ArchiveObject[] = [];
    for await (const object of storedArchives(this.objects, (file) => run.unknown(file))) {
      run.result.files += 1;
      if (isOld(object.file)) batch.push(object);
      if (batch.length < BATCH) continue;
      await this.lookUp(batch, run);
      batch = [];
    }
    await this.lookUp(batch, run);
    for await (const row of this.rows.ready())
      if ((await this.objects.sizeOf(archiveKeyOf(row))) === undefined) await this.missing(row.id, run);
  }

  private async lookUp(objects: readonly ArchiveObject[], run: ReconcileRun): Promise<void> {
    const rows = await this.rows.find(objects.map(({ id }) => id));
    for (const { id, ownerId, name, file } of objects) {
      const row = rows.get(id);
      if (row?.ownerId !== ownerId || !needs(row, name)) await run.ownerless(file, row?.ownerId ?? null);
    }
  }

  /** It may have expired, or have been replaced, since its row was read. */
  private async missing(id: string, run: ReconcileRun): Promise<void> {
    const row = (await this.rows.find([id])).get(id);
    if (row?.state === 'ready' && row.claim !== null)
      await run.missing(archiveKeyOf({ ...row, claim: row.claim }), row, 'archive');
  }
}

/** Whether the archive has this object, or its job will remove it. */
function needs({ state, claim }: ArchiveRow, name: string): boolean {
  switch (state) {
    case 'receiving':
    case 'building':
      return name === 'document' || name === claim;
    case 'ready':
      return name === claim;
    case 'failed':
      return false;
    case 'removing':
      return true;
  }
}
