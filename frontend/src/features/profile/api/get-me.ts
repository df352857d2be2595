import { useQuery } from '@tanstack/react-query';
import { queryKeys } from '../../../api/query-keys.js';
import type { Me } from '../../../api/types.js';
import { client, unwrap } from '../../../client/client.js';
import { session } from '../../../session/session.js';

/** One's own profile with fresh figures (GET /api/me); what the session knows stands in until it arrives. */
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
