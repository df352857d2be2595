import { createHash } from 'node:crypto';
import type { ForeignCallId } from './foreign-call-kind.js';

const hash = (text: string) => createHash('sha256').update(text).digest('hex');

/** The key that a foreign system gets: calls of another kind or another caller never have the same one. 64 characters. */
export function sentKeyOf(kind: string, { caller, key }: ForeignCallId): string {
  return hash(JSON.stringify([kind, caller, key]));
}

/** The key of a call that is made anew because the one before has certainly had no effect. */
export const nextSentKey = (before: string): string => hash(before);
