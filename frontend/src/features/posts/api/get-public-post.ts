import { useQuery } from '@tanstack/react-query';
import { client, unwrap } from '../../../server/client/client.js';
import { BESIDE } from '../../../server/queries/query-client.js';
import { queryKey } from '../../../server/queries/query-keys.js';

/** The latest of a person's posts that everybody may read (GET /api/users/{id}/posts); null where there is none. */
async function fetchPublicPost(id: string) {
  const { items } = await unwrap(client.GET('/api/users/{id}/posts', { params: { path: { id } } }));
  return items.find(({ locked }) => !locked) ?? null;
}

/** For visitors: the post alone, so that a rendered page does not carry the others. */
export const usePublicPost = (userId: string) =>
  useQuery({
    queryKey: queryKey('public-post', userId),
    queryFn: () => fetchPublicPost(userId),
    meta: BESIDE,
  }).data;
