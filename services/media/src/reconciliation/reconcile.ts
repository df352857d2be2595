import { Injectable } from '@nestjs/common';
import { DomainError } from '@pulso/platform/errors/domain-error';
import { ObjectStore } from '@pulso/platform/objects/object-store';
import { type AssetRow, AssetsInOrder } from '../store/assets-in-order.js';
import type { Reconciliation } from './findings.js';
import { ReconcileArchives } from './reconcile-archives.js';
import { ListedImages } from '../projections/listed-images.js';
import { ReconcileRun, type RunOptions } from './reconcile-run.js';
import {
  type AssetObjects,
  FOLDERS,
  isBefore,
  storedObjects,
  type StoredObject,
  storedPieces,
} from './stored-objects.js';

/** A part of the files that may go without anybody naming their number. */
const UNNAMED_SHARE = 0.01;

export interface ReconcileOptions {
  apply: boolean;
  /** The most findings that are kept. */
  limit: number;
  /** The most files that may be removed; 1 % of them unless named. */
  remove?: number;
}

/** A wrong or a new database makes every file ownerless. */
const noAssets = () =>
  new DomainError(
    'conflict',
    'The database has no asset and no archive, so every file would be removed: does MEDIA_DATABASE_URL name the right one? Nothing was changed.',
  );

/** So does, of the files since its backup, a database that was restored. */
const tooMany = (ownerless: number, files: number, allowed: number) =>
  new DomainError(
    'conflict',
    `${ownerless} of ${files} files would be removed, more than ${allowed}: was the database restored? ` +
      `Nothing was changed. If they are to go, repeat it with --remove ${ownerless}.`,
  );

/**
 * Compares all assets with all files, both ways, while uploads go on (MEDIA-13). Both are read in the order of the
 * files' keys, so that it holds neither. What differs is looked up once more before it counts, because rows and files
 * change meanwhile.
 */
@Injectable()
export class Reconcile {
  constructor(
    private readonly rows: AssetsInOrder,
    private readonly listed: ListedImages,
    private readonly archives: ReconcileArchives,
    private readonly objects: ObjectStore,
  ) {}

  /**
   * With `apply` it removes ownerless files that are older than an hour, and corrects what assets count to the stored size. A
   * missing file cannot be repaired, and unknown objects and files that a post or a profile lists are left alone. Rejects with
   * ObjectStoreError, and with `conflict`, before it has changed anything, where it would remove every file, or more than it may.
   */
  async execute({ apply, limit, remove }: ReconcileOptions): Promise<Reconciliation> {
    if (!apply) return this.run({ apply, limit, mayRemove: 0 });
    if (!(await this.hasRows()) && (await this.hasObjects())) throw noAssets();
    const { files, found } = await this.run({ apply: false, limit: 0, mayRemove: 0 });
    const mayRemove = remove ?? Math.floor(files * UNNAMED_SHARE);
    if (found.ownerless > mayRemove) throw tooMany(found.ownerless, files, mayRemove);
    return this.run({ apply, limit, mayRemove });
  }

  private async run(options: RunOptions): Promise<Reconciliation> {
    const { rows, listed, objects } = this;
    const run = new ReconcileRun({ rows, listed, objects }, options);
    const unknown = (file: StoredObject) => run.unknown(file);
    for (const kind of ['image', 'video'] as const)
      await merge(rows.read(kind), storedObjects(objects, kind, unknown), {
        compare: (row, files) => run.compare(row, files),
        withoutRow: (files) => run.withoutRow(files),
      });
    await merge(rows.read('video'), storedPieces(objects, unknown), {
      compare: (row, pieces) => run.comparePieces(row, pieces),
      withoutRow: (pieces) => run.withoutRow(pieces),
    });
    await run.finish();
    await this.archives.execute(run);
    return run.result;
  }

  private async hasRows(): Promise<boolean> {
    return (await this.rows.areThere()) || (await this.archives.areThere());
  }

  private async hasObjects(): Promise<boolean> {
    for (const folder of Object.values(FOLDERS)) if (await isAny(this.objects.list(folder))) return true;
    return false;
  }
}

interface Differences<Name extends string> {
  compare(row: AssetRow, files: AssetObjects<Name>['files']): Promise<void>;
  withoutRow(files: AssetObjects<Name>): Promise<void>;
}

async function isAny(listed: AsyncIterable<unknown>): Promise<boolean> {
  for await (const _one of listed) return true;
  return false;
}

/** Walks rows and files side by side, both in the order of the files' keys. */
async function merge<Name extends string>(
  rows: AsyncGenerator<AssetRow>,
  stored: AsyncGenerator<AssetObjects<Name>>,
  run: Differences<Name>,
): Promise<void> {
  try {
    await mergeAll(rows, stored, run);
  } finally {
    await rows.return(undefined);
  }
}

async function mergeAll<Name extends string>(
  rows: AsyncGenerator<AssetRow>,
  stored: AsyncGenerator<AssetObjects<Name>>,
  run: Differences<Name>,
): Promise<void> {
  let [row, files] = [await rows.next(), await stored.next()];
  while (!row.done || !files.done) {
    if (files.done || (!row.done && isBefore(row.value.id, files.value.id))) {
      await run.compare(row.value as AssetRow, new Map());
      row = await rows.next();
    } else if (row.done || isBefore(files.value.id, row.value.id)) {
      await run.withoutRow(files.value);
      files = await stored.next();
    } else {
      await run.compare(row.value, files.value.files);
      [row, files] = [await rows.next(), await stored.next()];
    }
  }
}
