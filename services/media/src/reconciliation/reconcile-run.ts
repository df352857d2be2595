import type { ObjectStore } from '@pulso/platform/objects/object-store';
import { objectKeyOf, type Variant, variantsOf } from '../store/asset.js';
import type { AssetRow, AssetsInOrder } from '../store/assets-in-order.js';
import type { Finding, Reconciliation } from './findings.js';
import type { ListedImages } from '../projections/listed-images.js';
import type { StoredObject, AssetObjects } from './stored-objects.js';

/** A younger file may belong to an upload whose row this process has not seen. Uploads take 10 minutes at most. */
const YOUNG_MS = 60 * 60_000;
/** So many are asked for at once: each question reads all posts. */
const BATCH = 2_000;

export interface RunOptions {
  /** Whether what can be repaired is. */
  apply: boolean;
  /** The most files that are removed. */
  mayRemove: number;
  /** The most findings that are kept. */
  limit: number;
}

interface Parts {
  rows: AssetsInOrder;
  listed: ListedImages;
  objects: ObjectStore;
}

/** One comparison of all rows with all files. Each difference is looked up once more before it counts. */
export class ReconcileRun {
  readonly result: Reconciliation = {
    ...{ assets: 0, files: 0, repaired: 0, findings: [] },
    found: { ownerless: 0, listed: 0, missing: 0, size: 0, unknown: 0, archive: 0 },
  };
  private removed = 0;
  private withoutRows: { id: string; files: StoredObject[] }[] = [];

  constructor(
    private readonly parts: Parts,
    private readonly options: RunOptions,
  ) {}

  unknown({ key, size }: StoredObject): void {
    this.note({ kind: 'unknown', key, ownerId: null, counted: null, stored: size, repaired: false });
  }

  async withoutRow({ id, files }: AssetObjects): Promise<void> {
    this.result.files += files.size;
    const old = [...files.values()].filter(isOld);
    if (old.length === 0) return;
    this.withoutRows.push({ id, files: old });
    if (this.withoutRows.length === BATCH) await this.finish();
  }

  /** Looks at the files without rows that are left. */
  async finish(): Promise<void> {
    const taken = this.withoutRows.splice(0);
    if (taken.length === 0) return;
    const listed = await this.parts.listed.among(taken.map(({ id }) => id));
    for (const { id, files } of taken) {
      if (await this.parts.rows.find(id)) continue;
      for (const file of files) {
        if (listed.has(id)) this.listed(file);
        else await this.ownerless(file, null);
      }
    }
  }

  async compare(row: AssetRow, files: AssetObjects<Variant>['files']): Promise<void> {
    this.result.assets += 1;
    this.result.files += files.size;
    const before = expectedOf(row);
    if (!before || fits(row, before, files)) return;
    const now = await this.parts.rows.find(row.id);
    const expected = now && expectedOf(now);
    if (!expected) return;
    for (const variant of expected)
      if (!files.has(variant)) await this.missing(objectKeyOf(now.id, variant, now.kind), now);
    for (const [variant, file] of files)
      if (!expected.includes(variant) && isOld(file)) await this.ownerless(file, now.ownerId);
    const main = expected[0] && files.get(expected[0]);
    if (main && main.size !== now.bytes) await this.wrongSize(now, main);
  }

  /** Pieces are there until the worker has ended with their video; those that no row names go with the others. */
  async comparePieces(row: AssetRow, pieces: AssetObjects['files']): Promise<void> {
    this.result.files += pieces.size;
    if (pieces.size === 0 || !expectedOf(row)) return;
    const now = await this.parts.rows.find(row.id);
    if (!now || !expectedOf(now)) return;
    for (const piece of pieces.values()) if (isOld(piece)) await this.ownerless(piece, now.ownerId);
  }

  /** A file that nobody has; it is removed where that may be. */
  async ownerless({ key, size }: StoredObject, ownerId: string | null): Promise<void> {
    const repaired = this.options.apply && this.removed < this.options.mayRemove;
    if (repaired) {
      await this.parts.objects.remove(key);
      this.removed += 1;
    }
    this.note({ kind: 'ownerless', key, ownerId, counted: null, stored: size, repaired });
  }

  /** A file that should be there, of so many bytes, or the object of an archive. It is looked for once more. */
  async missing(
    key: string,
    { ownerId, bytes }: Pick<AssetRow, 'ownerId' | 'bytes'>,
    kind: 'missing' | 'archive' = 'missing',
  ): Promise<void> {
    if ((await this.parts.objects.sizeOf(key)) !== undefined) return;
    this.note({ kind, key, ownerId, counted: bytes, stored: null, repaired: false });
  }

  private listed({ key, size }: StoredObject): void {
    this.note({ kind: 'listed', key, ownerId: null, counted: null, stored: size, repaired: false });
  }

  private async wrongSize(row: AssetRow, { key, size }: StoredObject): Promise<void> {
    const { ownerId, bytes } = row;
    const repaired = this.options.apply;
    if (repaired) await this.parts.rows.correctBytes(row, size);
    this.note({ kind: 'size', key, ownerId, counted: bytes, stored: size, repaired });
  }

  private note(finding: Finding): void {
    const { found, findings } = this.result;
    found[finding.kind] += 1;
    if (finding.repaired) this.result.repaired += 1;
    if (findings.length < this.options.limit) findings.push(finding);
  }
}

/** The files that must be there; undefined while it is received, processed or removed. */
function expectedOf({ kind, state, purpose, video }: AssetRow): readonly Variant[] | undefined {
  if ((state !== 'ready' && state !== 'detached') || purpose === null) return undefined;
  if (kind === 'image' || video === 'ready') return variantsOf({ kind, purpose });
  return video === 'failed' ? [] : undefined;
}

const fits = (
  { bytes }: AssetRow,
  expected: readonly Variant[],
  files: AssetObjects<Variant>['files'],
): boolean =>
  files.size === expected.length &&
  expected.every((variant, index) => files.has(variant) && (index > 0 || files.get(variant)!.size === bytes));

/** By this machine's clock, as the store's time is no injected clock's. */
export const isOld = ({ modifiedAt }: StoredObject) => modifiedAt < Date.now() - YOUNG_MS;
