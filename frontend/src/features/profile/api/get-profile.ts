import { useQuery } from '@tanstack/react-query';
import { client, unwrap } from '../../../client/client.js';
import { profileKeys } from '../../../api/profile-cache.js';

/** A profile by its user's id (GET /api/users/{id}). */
export const useProfile = (id: string) =>
  useQuery({
    queryKey: profileKeys.byId(id),
    queryFn: () => unwrap(client.GET('/api/users/{id}', { params: { path: { id } } })),
  });

/** A profile by username, in any case (GET /api/users/by-username/{username}). */
export const useProfileByUsername = (username: string) =>
  useQuery({
    queryKey: profileKeys.byUsername(username),
    queryFn: () =>
      unwrap(client.GET('/api/users/by-username/{username}', { params: { path: { username } } })),
  });
