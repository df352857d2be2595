import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { useWindowFocus } from '../../../components/use-window-focus.js';
import { byCursor, useItems } from '../../../server/queries/paged-list.js';
import { queryKeys } from '../../../server/queries/query-keys.js';
import { client, unwrap } from '../../../server/client/client.js';
import { CHANGED } from '../../../shared/subscribing/subscription-list.js';

const fetchSubscriptions = (cursor: string | undefined) =>
  unwrap(client.GET('/api/subscriptions', { params: { query: { cursor } } }));

/** The viewer's subscriptions that give access, and those of whose end something is told (SUBS-35), read again with the focus and after a change in another tab (SUBS-23). */
export function useSubscriptions() {
  const query = useInfiniteQuery({
    queryKey: queryKeys.subscriptions,
    ...byCursor(fetchSubscriptions),
    // The focus of the window, which also comes from another one beside it, does more.
    refetchOnWindowFocus: false,
  });
  const readAgain = useEffectEvent(() => void query.refetch());
  useWindowFocus(() => void query.refetch());
  useEffect(() => {
    const onStorage = ({ key }: StorageEvent) => {
      if (key === CHANGED) readAgain();
    };
    window.addEventListener('storage', onStorage);
    return () => window.removeEventListener('storage', onStorage);
  }, []);
  const subscriptions = useItems(query.data?.pages);
  return { ...query, subscriptions, ended: query.data?.pages[0]?.ended ?? [] };
}
