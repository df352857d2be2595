import { useQuery } from '@tanstack/react-query';
import { queryKeys } from '../../../server/queries/query-keys.js';
import { client, unwrap } from '../../../server/client/client.js';

/** A profile by its user's id (GET /api/users/{id}). */
export const useProfile = (id: string) =>
  useQuery({
    queryKey: queryKeys.profiles.byId(id),
    queryFn: () => unwrap(client.GET('/api/users/{id}', { params: { path: { id } } })),
  });

/** A profile by username, in any case (GET /api/users/by-username/{username}). */
export const useProfileByUsername = (username: string) =>
  useQuery({
    queryKey: queryKeys.profiles.byUsername(username),
    queryFn: () =>
      unwrap(client.GET('/api/users/by-username/{username}', { params: { path: { username } } })),
  });
