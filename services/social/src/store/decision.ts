import type { Reason } from './report.entity.js';

/** The kinds of subjects that a moderator can hide or suspend. */
export type DecidedType = 'post' | 'comment' | 'user';

/** What a decision did to its subject. */
export type Outcome = 'hidden' | 'shown' | 'suspended' | 'reinstated' | 'dismissed' | 'reports-dismissed';

/** Who decided, and why. */
export interface Grounds {
  /** The moderator's name as given on the command line. */
  by: string;
  reason: Reason;
  /** For other moderators only: it is never published. May be empty. */
  note: string;
}
