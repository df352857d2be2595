import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import { queryKeys } from './query-keys.js';
import type { Profile, ProfilePage } from './types.js';

export type ProfilePages = InfiniteData<ProfilePage, string | undefined>;

type Cached = ProfilePages | Profile | undefined;
type Change = (profile: Profile) => Profile;

function changeCached(cached: Cached, id: string, change: Change): Cached {
  if (cached === undefined) return cached;
  if (!('pages' in cached)) return cached.id === id ? change(cached) : cached;
  const pages = cached.pages.map((page) =>
    page.items.some((one) => one.id === id)
      ? { ...page, items: page.items.map((one) => (one.id === id ? change(one) : one)) }
      : page,
  );
  return { ...cached, pages };
}

/** Changes the profile of user `id` in every cached query, also the viewer's own. */
export function changeProfile(queryClient: QueryClient, id: string, change: Change): void {
  queryClient.setQueriesData<Cached>({ queryKey: queryKeys.profiles.all }, (cached) =>
    changeCached(cached, id, change),
  );
}
