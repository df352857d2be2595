import { validationFailed } from '../errors/domain-error.js';
import { isId } from '../ids/uuid-v7.js';

const MAX_USERS = 100;

/** Throws `validation-failed` for a list of users that is too long for one call. */
export function checkUserCount(path: string, ids: readonly string[]): void {
  if (ids.length > MAX_USERS) {
    const message = `Must have at most ${MAX_USERS} entries`;
    throw validationFailed([{ path, code: 'too-many', message }]);
  }
}

/** The ids of a list that are well formed; the others are nobody's. Throws like `checkUserCount`. */
export function readUserIds(path: string, ids: readonly string[]): string[] {
  checkUserCount(path, ids);
  return ids.filter(isId);
}
