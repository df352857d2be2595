import type { Hiding } from '@pulso/contracts/posts/v1/events';

/** The fields of a post or comment while a moderator hides it from everyone except its author (PEOPLE-37). */
export interface HidingFields {
  hiddenReason?: string;
  /** When the moderator decided. */
  hiddenAt?: Date;
}

export const HIDING_NAMES = ['hiddenReason', 'hiddenAt'] as const;
export const HIDING_FIELDS = { hiddenReason: String, hiddenAt: Date } as const;

/** The fields of a projected row about a moderator's decision. */
export interface DecisionFields {
  /** False if the decision was reverted. */
  hidden: boolean;
  /** Absent in old rows, as the time is, until their decisions are published again. */
  reason?: string;
  decidedAt?: Date;
}

export const DECISION_FIELDS = {
  hidden: { type: Boolean, required: true },
  reason: { type: String, required: true },
  decidedAt: { type: Date, required: true },
} as const;

/** The published form: absent while nobody hides the document. */
export function toHiding({ hiddenReason, hiddenAt }: HidingFields): Hiding | undefined {
  return hiddenAt && { reason: hiddenReason ?? 'other', decidedAt: hiddenAt.getTime() };
}

/** Whether the document has the fields that the decision asks for; null: there is no decision. */
export function hasDecision(document: HidingFields, decision: DecisionFields | null): boolean {
  if (!decision?.hidden) return document.hiddenAt === undefined;
  // Of an old row there is nothing to write, and what the document has came later.
  if (!decision.decidedAt) return true;
  const isSameTime = document.hiddenAt?.getTime() === decision.decidedAt.getTime();
  return isSameTime && document.hiddenReason === decision.reason;
}
