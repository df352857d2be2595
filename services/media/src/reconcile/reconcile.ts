import { Injectable } from '@nestjs/common';
import { DomainError } from '@pulso/platform/errors/domain-error';
import { ObjectStore } from '@pulso/platform/objects/object-store';
import { objectKeyOf, VARIANTS, type Variant } from '../asset/asset.js';
import { type AssetRow, AssetsInOrder } from './assets-in-order.js';
import { IMAGES, isBefore, type StoredFile, storedFiles, type StoredFiles } from './stored-files.js';

/**
 * `ownerless`: a file whose asset is not there, or has no such file. `missing`: a file that its asset should have.
 * `size`: a main file that is not as long as its asset counts. `unknown`: an object that is no file of ours.
 */
export type FindingKind = 'ownerless' | 'missing' | 'size' | 'unknown';

export interface Finding {
  kind: FindingKind;
  key: string;
  /** Null where no asset is. */
  ownerId: string | null;
  /** What the asset counts, and what the store has; null where there is none. */
  counted: number | null;
  stored: number | null;
  repaired: boolean;
}

export interface Reconciliation {
  assets: number;
  /** Files of assets. */
  files: number;
  found: Record<FindingKind, number>;
  repaired: number;
  /** The first of them, as many as were asked for. */
  findings: Finding[];
}

/** A wrong or a new database makes every file ownerless. */
const noAssets = () =>
  new DomainError(
    'conflict',
    'The database has no asset, so every file would be removed: does MEDIA_DATABASE_URL name the right one? Nothing was changed.',
  );

/** A younger file may belong to an upload whose row this process has not seen. Uploads take 10 minutes at most. */
const YOUNG_MS = 60 * 60_000;

/**
 * Compares all assets with all files, both ways, while uploads go on (MEDIA-13). Both are read in the order of the
 * files' keys, so that it holds neither. What differs is looked up once more before it counts, because rows and files
 * change meanwhile.
 */
@Injectable()
export class Reconcile {
  constructor(
    private readonly rows: AssetsInOrder,
    private readonly objects: ObjectStore,
  ) {}

  /**
   * With `apply` it removes ownerless files that are older than an hour, and corrects what assets count to the stored size. A
   * missing file cannot be repaired, and unknown objects are left alone. Rejects with ObjectStoreError, and with `conflict` where
   * it would remove every file.
   */
  async execute({ apply, limit }: { apply: boolean; limit: number }): Promise<Reconciliation> {
    if (apply && !(await this.rows.areThere()) && (await isAny(this.objects.list(IMAGES)))) throw noAssets();
    const run = new Run(this.rows, this.objects, apply, limit);
    const stored = storedFiles(this.objects, (file) => run.unknown(file));
    const rows = this.rows.read();
    try {
      await merge(rows, stored, run);
    } finally {
      await rows.return(undefined);
    }
    return run.result;
  }
}

async function isAny(listed: AsyncIterable<unknown>): Promise<boolean> {
  for await (const _one of listed) return true;
  return false;
}

async function merge(
  rows: AsyncGenerator<AssetRow>,
  stored: AsyncGenerator<StoredFiles>,
  run: Run,
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

class Run {
  readonly result: Reconciliation = {
    ...{ assets: 0, files: 0, repaired: 0, findings: [] },
    found: { ownerless: 0, missing: 0, size: 0, unknown: 0 },
  };

  constructor(
    private readonly rows: AssetsInOrder,
    private readonly objects: ObjectStore,
    private readonly apply: boolean,
    private readonly limit: number,
  ) {}

  unknown({ key, size }: StoredFile): void {
    this.note({ kind: 'unknown', key, ownerId: null, counted: null, stored: size, repaired: false });
  }

  async withoutRow({ id, files }: StoredFiles): Promise<void> {
    this.result.files += files.size;
    const old = [...files.values()].filter(isOld);
    if (old.length > 0 && !(await this.rows.find(id)))
      for (const file of old) await this.ownerless(file, null);
  }

  async compare(row: AssetRow, files: StoredFiles['files']): Promise<void> {
    this.result.assets += 1;
    this.result.files += files.size;
    if (!isWhole(row) || fits(row, files)) return;
    const now = await this.rows.find(row.id);
    if (!now || !isWhole(now)) return;
    const expected: readonly Variant[] = VARIANTS[now.purpose];
    for (const variant of expected) if (!files.has(variant)) await this.missing(now, variant);
    for (const [variant, file] of files)
      if (!expected.includes(variant) && isOld(file)) await this.ownerless(file, now.ownerId);
    const main = files.get(expected[0]!);
    if (main && main.size !== now.bytes) await this.wrongSize(now, main);
  }

  private async ownerless({ key, size }: StoredFile, ownerId: string | null): Promise<void> {
    if (this.apply) await this.objects.remove(key);
    this.note({ kind: 'ownerless', key, ownerId, counted: null, stored: size, repaired: this.apply });
  }

  private async missing({ id, ownerId, bytes }: WholeRow, variant: Variant): Promise<void> {
    const key = objectKeyOf(id, variant);
    if ((await this.objects.sizeOf(key)) !== undefined) return;
    this.note({ kind: 'missing', key, ownerId, counted: bytes, stored: null, repaired: false });
  }

  private async wrongSize(row: WholeRow, { key, size }: StoredFile): Promise<void> {
    const { ownerId, bytes } = row;
    if (this.apply) await this.rows.correctBytes(row, size);
    this.note({ kind: 'size', key, ownerId, counted: bytes, stored: size, repaired: this.apply });
  }

  private note(finding: Finding): void {
    const { found, findings } = this.result;
    found[finding.kind] += 1;
    if (finding.repaired) this.result.repaired += 1;
    if (findings.length < this.limit) findings.push(finding);
  }
}

type WholeRow = AssetRow & { purpose: NonNullable<AssetRow['purpose']> };

/** Whether all its files must be there: not while it is received or removed. */
const isWhole = (row: AssetRow): row is WholeRow =>
  (row.state === 'ready' || row.state === 'detached') && row.purpose !== null;

function fits({ purpose, bytes }: WholeRow, files: StoredFiles['files']): boolean {
  const expected: readonly Variant[] = VARIANTS[purpose];
  return (
    files.size === expected.length &&
    expected.every((variant) => files.has(variant)) &&
    files.get(expected[0]!)!.size === bytes
  );
}

/** By this machine's clock, as the store's time is no injected clock's. */
const isOld = ({ modifiedAt }: StoredFile) => modifiedAt < Date.now() - YOUNG_MS;
