import { type CommandInput, UsageError } from '@pulso/platform/command-line/run-commands';
import type { Grounds } from '../store/decision.js';
import { type Reason, REASONS } from '../store/report.entity.js';

const MAX_LISTED = 1_000;
/** The options of a decision. */
export const GROUNDS_OPTIONS = {
  by: { type: 'string', value: '<moderator>', required: true },
  reason: { type: 'string', value: `<${REASONS.join('|')}>` },
  note: { type: 'string', value: '<text>', default: '' },
} as const;
/** The options of a list. */
export const LIST_OPTIONS = {
  limit: { type: 'string', value: '<n>', default: '50' },
  json: { type: 'boolean' },
} as const;

/** Throws UsageError. */
export function groundsOf({ options: { by, reason, note } }: CommandInput): Omit<Grounds, 'reason'> & {
  reason?: Reason;
} {
  if (reason !== undefined && !isReason(reason))
    throw new UsageError(`--reason must be one of ${REASONS.join(', ')}.`);
  return { by: String(by).trim(), note: String(note).trim(), ...(reason && { reason }) };
}

/** Throws UsageError. */
export function limitOf({ options: { limit } }: CommandInput): number {
  const most = Number(limit);
  if (!Number.isInteger(most) || most < 1 || most > MAX_LISTED)
    throw new UsageError(`--limit must be from 1 to ${MAX_LISTED}.`);
  return most;
}

/** Pages are counted from 1. Throws UsageError. */
export function pageOf({ options: { page } }: CommandInput): number {
  const number = Number(page);
  if (!Number.isInteger(number) || number < 1 || number > MAX_LISTED)
    throw new UsageError(`--page must be from 1 to ${MAX_LISTED}.`);
  return number;
}

const isReason = (text: unknown): text is Reason => REASONS.some((reason) => reason === text);
