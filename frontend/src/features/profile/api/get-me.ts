import { useQuery } from '@tanstack/react-query';
import { queryKeys } from '../../../server/queries/query-keys.js';
import type { Me } from '../../../api/types.js';
import { client, unwrap } from '../../../server/client/client.js';
import { session } from '../../../server/session/session.js';

interface OwnProfile {
  me: Me;
  /** Not answered yet: a figure that is null is not known, rather than not available. */
  pending: boolean;
}

/** The viewer's own profile with fresh figures (GET /api/me); until then the session's copy. */
export function useMe(known: Me): OwnProfile {
  const { data = known, isPlaceholderData } = useQuery({
    queryKey: queryKeys.profiles.me,
    queryFn: async () => {
      const me = await unwrap(client.GET('/api/me'));
      session.updateUser(me);
      return me;
    },
    placeholderData: known,
  });
  return { me: data, pending: isPlaceholderData };
}
