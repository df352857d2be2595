import { isDeepStrictEqual } from 'node:util';

/** What every row of a projection carries besides the state it holds. */
export interface ProjectedRow {
  /** The event's key. */
  _id: string;
  version: number;
  /** The latest republication that has told of this row. */
  confirmedBy?: string;
  /** The store's own time of the last change. */
  changedAt: Date;
}

/** `ProjectedRow` as every projection's schema declares it. */
export const PROJECTED_FIELDS = {
  _id: { type: String, required: true },
  version: { type: Number, required: true },
  confirmedBy: String,
  changedAt: Date,
} as const;

/** A state of the owner as a republication tells it. */
export interface RepublishedState {
  version: number;
  fields: Readonly<Record<string, unknown>>;
  run: string;
  /** When the run began, by the store's clock. */
  openedAt: Date;
}

/**
 * What a republished state makes of the row there is.
 * - `confirm`: the row is as the owner says, or newer by an event of these moments: note that the run has told of it.
 * - `take`: the row becomes the owner's state, whatever version it claimed.
 * - `update`: the run, or a later one, has told of the row before: the newer version wins, as ever.
 */
export type Verdict = 'confirm' | 'take' | 'update';

/**
 * A row that is newer than the republished state is right only if it was written after the run had begun: what was
 * written before, the owner has read. Both times are the store's, so no two clocks are compared.
 */
export function judge(row: ProjectedRow, { version, fields, run, openedAt }: RepublishedState): Verdict {
  if (isConfirmed(row, run)) return 'update';
  if (row.version > version && isChangedSince(row, openedAt)) return 'confirm';
  const held = row as unknown as Record<string, unknown>;
  const isSame = Object.entries(fields).every(([name, value]) => isDeepStrictEqual(held[name], value));
  const isTheOwners = row.version === version && isSame && strayFields(row, fields).length === 0;
  return isTheOwners ? 'confirm' : 'take';
}

/** What stands in a row though neither the owner nor the projection puts it there. */
export function strayFields(row: ProjectedRow, fields: RepublishedState['fields']): string[] {
  return Object.keys(row).filter(
    (name) => !Object.hasOwn(fields, name) && !Object.hasOwn(PROJECTED_FIELDS, name),
  );
}

/** Whether the owner does not know the row, once all states of a run have arrived. */
export function isStray(row: ProjectedRow, { run, openedAt }: { run: string; openedAt: Date }): boolean {
  return !isConfirmed(row, run) && !isChangedSince(row, openedAt);
}

export function isConfirmed({ confirmedBy }: ProjectedRow, run: string): boolean {
  return confirmedBy !== undefined && confirmedBy >= run;
}

function isChangedSince({ changedAt }: Partial<ProjectedRow>, time: Date): boolean {
  return changedAt !== undefined && changedAt >= time;
}
