import { userInfo } from 'node:os';
import { type CommandInput, UsageError } from './run-commands.js';

export const MAX_LISTED = 1_000;
export const JSON_OPTION = { json: { type: 'boolean' } } as const;
export const LIMIT_OPTION = { limit: { type: 'string', value: '<n>', default: '50' } } as const;
/** Who acts; see `operatorOf`. */
export const BY_OPTION = { by: { type: 'string', value: '<operator>' } } as const;
/** Of commands that only say what they would do, unless they have `--apply`. */
export const CHANGE_OPTIONS = {
  ...BY_OPTION,
  apply: { type: 'boolean' },
} as const;
export const REASON_OPTION = { reason: { type: 'string', value: '<text>', required: true } } as const;
export const NOTHING_CHANGED = 'Nothing is changed: repeat it with --apply.';

export function limitOf({ options: { limit } }: CommandInput): number {
  const most = Number(limit);
  if (!Number.isInteger(most) || most < 1 || most > MAX_LISTED)
    throw new UsageError(`--limit must be from 1 to ${MAX_LISTED}.`);
  return most;
}

/** Who is named, else the user of the operating system. */
export function operatorOf(by: string | boolean | undefined): string {
  const named = by === undefined ? '' : String(by).trim();
  return named || osUser();
}

/** The user of the operating system; nobody can name another one. */
export function osUser(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run under a number that has no name.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
