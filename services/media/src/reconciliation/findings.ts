/**
 * `ownerless`: a file whose asset is not there, or has no such file. `listed`: one whose asset is not there, though a post or a
 * profile lists it. `missing`: a file that its asset should have. `size`: a main file that is not as long as its asset counts.
 * `unknown`: an object that is no file of ours. `archive`: an archive that is ready, without its object.
 */
export type FindingKind = 'ownerless' | 'listed' | 'missing' | 'size' | 'unknown' | 'archive';

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
