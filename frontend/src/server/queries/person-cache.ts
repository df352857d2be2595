import type { QueryClient } from '@tanstack/react-query';
import type { UserRef } from '../../api/types.js';

/**
 * Shows a person as they are now wherever the cache has them: in profiles, lists, and as the author of what they wrote. What is
 * known to be old stays so, and is read again.
 */
export function showPerson(queryClient: QueryClient, person: UserRef): void {
  const { id, name, username, profileImage, isCoach } = person;
  const now = { id, name, username, profileImage, isCoach };
  for (const query of queryClient.getQueryCache().getAll()) {
    const { data, dataUpdatedAt, isInvalidated } = query.state;
    const shown = withPerson(data, now);
    if (shown === data) continue;
    query.setData(shown, { updatedAt: dataUpdatedAt, manual: true });
    if (isInvalidated) query.invalidate();
  }
}

/** The same object where the person is not in it, so that nothing else is drawn again. */
function withPerson(data: unknown, person: UserRef): unknown {
  if (typeof data !== 'object' || data === null) return data;
  if (Array.isArray(data)) {
    const items = data.map((item) => withPerson(item, person));
    return items.every((item, index) => item === data[index]) ? data : items;
  }
  const entries = Object.entries(data).map(([key, value]) => [key, withPerson(value, person)] as const);
  const isPerson = 'profileImage' in data && 'id' in data && data.id === person.id;
  const isSame = entries.every(([key, value]) => value === (data as Record<string, unknown>)[key]);
  if (isSame && !isPerson) return data;
  return { ...Object.fromEntries(entries), ...(isPerson && person) };
}
