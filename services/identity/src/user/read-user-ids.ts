import { validationFailed } from '@pulso/platform/errors/domain-error';
import { isId } from '@pulso/platform/ids/uuid-v7';

const MAX_USERS = 100;

/** The ids of a list that are well formed; the others are nobody's. Throws `validation-failed` for a list that is too long. */
export function readUserIds(path: string, ids: readonly string[]): string[] {
  if (ids.length > MAX_USERS) {
    const message = `Must have at most ${MAX_USERS} entries`;
    throw validationFailed([{ path, code: 'too-many', message }]);
  }
  return ids.filter(isId);
}
