import { newId } from '@pulso/platform/ids/uuid-v7';
import type { OwnedDocument } from '@pulso/platform/mongo/owned-collection';

/** Of a row whose change must be counted on its target; both are unpublished fields. */
export interface CountedFields {
  /** Set with each such change and taken away by its count: a UUIDv7 of the time of the change. */
  uncounted?: string;
  /** The `dirtyVersion` of the last change that was counted. */
  counted?: number;
}

export const COUNTED_FIELDS = { uncounted: String, counted: Number } as const;

export const COUNTED_NAMES = ['uncounted', 'counted'] as const;

/** Only `RowCounting` uses it, to find what was left by a crash. */
export const COUNTED_INDEX = [{ uncounted: 1 }, { sparse: true }] as const;

/** The fields of a change that is to be counted. */
export const toCount = () => ({ uncounted: newId() });

/**
 * Whether a change of the row may not have been counted. Rows of the version before these fields have neither: theirs are
 * counted once more before the outbox clears them.
 */
export function isUncounted({
  uncounted,
  counted,
  dirtyAt,
  dirtyVersion,
}: Pick<OwnedDocument, 'dirtyAt' | 'dirtyVersion'> & CountedFields): boolean {
  if (uncounted !== undefined) return true;
  return dirtyAt !== undefined && (counted === undefined || counted !== dirtyVersion);
}
