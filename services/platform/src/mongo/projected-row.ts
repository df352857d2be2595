import { isDeepStrictEqual } from 'node:util';

/** The fields of every row of a projection in addition to its state. */
export interface ProjectedRow {
  /** The event's key. */
  _id: string;
  version: number;
  /** The latest republication that included this row. */
  confirmedBy?: string;
  /** The time of the last change by the store's clock. */
  changedAt: Date;
  /** The version after whose write `ProjectedRows.written` has ended; missing in rows of earlier versions of the service. */
  told?: number;
}

/** `ProjectedRow` as every projection's schema declares it. */
export const PROJECTED_FIELDS = {
  _id: { type: String, required: true },
  version: { type: Number, required: true },
  confirmedBy: String,
  changedAt: Date,
  told: Number,
} as const;

/** A republished state of the owner. */
export interface RepublishedState {
  version: number;
  fields: Readonly<Record<string, unknown>>;
  run: string;
  /** When the run began, by the store's clock. */
  openedAt: Date;
}

/**
 * The effect of a republished state on the existing row.
 * - `confirm`: the row equals the owner's state, or a recent event made it newer: only record that the run included it.
 * - `take`: the row becomes the owner's state, whatever its version.
 * - `update`: this run or a later one has included the row before: the newer version wins, as for an ordinary event.
 */
export type Verdict = 'confirm' | 'take' | 'update';

/**
 * A row that is newer than the republished state is correct only if it was written after the run began: the republished
 * states include every earlier change. Both times come from the store's clock.
 */
export function judge(row: ProjectedRow, { version, fields, run, openedAt }: RepublishedState): Verdict {
  if (isConfirmed(row, run)) return 'update';
  if (row.version > version && isChangedSince(row, openedAt)) return 'confirm';
  const held = row as unknown as Record<string, unknown>;
  const isSame = Object.entries(fields).every(([name, value]) => isDeepStrictEqual(held[name], value));
  const isTheOwners = row.version === version && isSame && strayFields(row, fields).length === 0;
  return isTheOwners ? 'confirm' : 'take';
}

/** The fields of a row that neither the owner's state nor the projection sets. */
export function strayFields(row: ProjectedRow, fields: RepublishedState['fields']): string[] {
  return Object.keys(row).filter(
    (name) => !Object.hasOwn(fields, name) && !Object.hasOwn(PROJECTED_FIELDS, name),
  );
}

/** Whether the owner has no such state. Valid once all states of a run have arrived. */
export function isStray(row: ProjectedRow, { run, openedAt }: { run: string; openedAt: Date }): boolean {
  return !isConfirmed(row, run) && !isChangedSince(row, openedAt);
}

export function isConfirmed({ confirmedBy }: ProjectedRow, run: string): boolean {
  return confirmedBy !== undefined && confirmedBy >= run;
}

function isChangedSince({ changedAt }: Partial<ProjectedRow>, time: Date): boolean {
  return changedAt !== undefined && changedAt >= time;
}
