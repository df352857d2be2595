import { useQuery } from '@tanstack/react-query';
import { queryKeys } from '../../../api/query-keys.js';
import type { Me } from '../../../api/types.js';
import { client, unwrap } from '../../../client/client.js';
import { session } from '../../../session/session.js';

/** The viewer's own profile with fresh figures (GET /api/me); until then the session's copy. */
export const useMe = (known: Me) =>
  useQuery({
    queryKey: queryKeys.profiles.me,
    queryFn: async () => {
      const me = await unwrap(client.GET('/api/me'));
      session.updateUser(me);
      return me;
    },
    placeholderData: known,
  });
