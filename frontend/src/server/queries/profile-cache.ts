import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import { queryKeys } from './query-keys.js';
import type { Profile, ProfilePage } from '../../api/types.js';

export type ProfilePages = InfiniteData<ProfilePage, string | undefined>;

/** A count of a profile after one more or one less; never below 0, and null while its service is down. */
export const stepped = (count: number | null, by: number): number | null =>
  count === null ? null : Math.max(0, count + by);

interface ProfileList {
  items: Profile[];
}

type Cached = ProfilePages | ProfileList | Profile | undefined;
type Change = (profile: Profile) => Profile;

function changeListed<L extends ProfileList>(list: L, id: string, change: Change): L {
  if (!list.items.some((one) => one.id === id)) return list;
  return { ...list, items: list.items.map((one) => (one.id === id ? change(one) : one)) };
}

function changeCached(cached: Cached, id: string, change: Change): Cached {
  if (cached === undefined) return cached;
  if ('items' in cached) return changeListed(cached, id, change);
  if (!('pages' in cached)) return cached.id === id ? change(cached) : cached;
  return { ...cached, pages: cached.pages.map((page) => changeListed(page, id, change)) };
}

/** Changes the profile of user `id` in every cached query, also the viewer's own. */
export function changeProfile(queryClient: QueryClient, id: string, change: Change): void {
  queryClient.setQueriesData<Cached>({ queryKey: queryKeys.profiles.all }, (cached) =>
    changeCached(cached, id, change),
  );
}
