import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import { byCursor, useItems } from '../../../server/queries/paged-list.js';
import { queryKey } from '../../../server/queries/query-keys.js';
import type { Notification, NotificationPage } from '../../../api/types.js';
import { client, unwrap } from '../../../server/client/client.js';
import { useLiveEvents } from '../../../server/live/live-events.js';

type Pages = InfiniteData<NotificationPage, string | undefined>;
const KEY = queryKey('notifications');

/** The viewer's notifications, newest first (GET /api/notifications), with those that arrive while they are shown. */
export function useNotifications() {
  const queryClient = useQueryClient();
  const query = useInfiniteQuery({
    queryKey: KEY,
    ...byCursor((cursor) => unwrap(client.GET('/api/notifications', { params: { query: { cursor } } }))),
    // Nothing follows the list while it is closed.
    staleTime: 0,
  });
  useLiveEvents((event) => {
    if (event.type === 'notification') showNotification(queryClient, event.data);
    if (event.type === 'reload') reload(queryClient);
  });
  return { ...query, notifications: useItems(query.data?.pages) };
}

const reload = (queryClient: QueryClient): void => void queryClient.invalidateQueries({ queryKey: KEY });

function showNotification(queryClient: QueryClient, notification: Notification): void {
  queryClient.setQueryData<Pages>(KEY, (data) => {
    const [first, ...rest] = data?.pages ?? [];
    if (!data || !first || first.items.some(({ id }) => id === notification.id)) return data;
    return { ...data, pages: [{ ...first, items: [notification, ...first.items] }, ...rest] };
  });
  // What is being read meanwhile may be older.
  if (queryClient.isFetching({ queryKey: KEY }) > 0) reload(queryClient);
}

/** For the next time that the list is opened: its first page alone, and nothing of it is new. */
export function closeNotifications(queryClient: QueryClient): void {
  queryClient.setQueryData<Pages>(KEY, (data) => {
    const first = data?.pages[0];
    if (!data || !first) return data;
    const items = first.items.map((one) => ({ ...one, read: true }));
    return { pages: [{ ...first, items }], pageParams: data.pageParams.slice(0, 1) };
  });
}
