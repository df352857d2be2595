import { useQuery } from '@tanstack/react-query';
import type { DeviceSession } from '../../../api/types.js';
import { client, unwrap } from '../../../server/client/client.js';
import { queryKey } from '../../../server/queries/query-keys.js';

export const SESSIONS = queryKey('sessions');

/** This device first, then the one that was used last. */
const byUse = (one: DeviceSession, other: DeviceSession): number =>
  Number(other.current) - Number(one.current) || (one.lastUsedAt < other.lastUsedAt ? 1 : -1);

/** The devices that are signed in (GET /api/auth/sessions); the list is not paged (ACCT-22). */
export const useSessions = () =>
  useQuery({
    queryKey: SESSIONS,
    queryFn: async () => (await unwrap(client.GET('/api/auth/sessions'))).items.toSorted(byUse),
  });
