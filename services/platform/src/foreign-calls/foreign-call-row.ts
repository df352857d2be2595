import type { ForeignCallId } from './foreign-call-kind.js';

export type CallState = 'pending' | 'done' | 'refused' | 'not-executed' | 'abandoned';

/** A call as it is about to be stored; `request` and `rendered` are JSON text. */
export interface NewCall extends ForeignCallId {
  kind: string;
  sentKey: string;
  request: string;
  rendered: string;
  apiVersion: string;
}

/** A stored call. */
export interface CallRow extends ForeignCallId {
  kind: string;
  sentKey: string;
  request: unknown;
  rendered: unknown;
  apiVersion: string;
  state: CallState;
  ending: unknown;
  enqueued: boolean;
  attempts: number;
  running: boolean;
  isDue: boolean;
}

/** A stored call as it is found. */
export interface KnownCall extends CallRow {
  /** Whether its request is the given one. */
  same: boolean;
  /** Whether the last attempt is so long ago that the foreign system certainly works on it no more. */
  rested: boolean;
}

/** A call as operators see it: without what was sent. */
export interface ListedCall extends ForeignCallId {
  kind: string;
  state: CallState | 'unknown' | 'unregistered';
  attempts: number;
  ageSeconds: number;
  createdAt: Date;
  dueAt: Date;
  lastError: string | null;
  settledBy: string | null;
  settledBecause: string | null;
  sentKey: string;
}

export interface Listing {
  /** Those that have ended, too. */
  all: boolean;
  kind: string | null;
  limit: number;
}

/** A call that this process may make until its lease ends. */
export interface TakenCall extends CallRow {
  /** Whether the foreign system may have executed it before this attempt. */
  wasDoubtful: boolean;
  /** Whether the attempt before is so long ago that the foreign system certainly works on it no more. */
  rested: boolean;
  /** Whether the foreign system may have forgotten the key. */
  outOfTime: boolean;
}

/** The calls of one kind and state that have not ended. */
export interface OpenCalls {
  kind: string;
  state: 'pending' | 'unknown' | 'abandoned';
  count: number;
  oldestSeconds: number;
}

/** How a call is taken; in ms. */
export interface Lease {
  leaseMs: number;
  giveUpAfterMs: number;
}

/** How many calls of a kind may be taken. */
export interface DueOfKind extends Lease {
  name: string;
  places: number;
}

/** Whoever settles a call by hand. */
export interface ByHand {
  by: string;
  because: string;
}
