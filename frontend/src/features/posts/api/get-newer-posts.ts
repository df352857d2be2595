import { useQuery, useQueryClient } from '@tanstack/react-query';
import { queryKeys } from '../../../server/queries/query-keys.js';
import type { Post, PostPage } from '../../../api/types.js';
import { client, unwrap } from '../../../server/client/client.js';
import { useDeletions, withoutDeleted } from '../../../components/feedback/deletions.js';
import type { PostPages } from './post-cache.js';

/** How often, in ms, a visible feed is asked about. */
const CHECK_INTERVAL_MS = 60_000;
/** Newer posts matter where they would be seen first. */
const CHECKED_POSTS = 10;

/**
 * Whether the feed begins with posts that are not in `shown`: asked for every minute while the page is visible, the first
 * time a minute after `readAt` (ms), when the shown ones were read (FEED-11). The posts are read only where some are newer
 * than those read last, which costs less to ask (FEED-9). `refresh` reads the feed again from its beginning.
 */
export function useNewerPosts(shown: Post[], readAt: number) {
  const queryClient = useQueryClient();
  const known = new Set(shown.map(({ id }) => id));
  const deletions = useDeletions();
  const hasUnseen = (page: PostPage | null) =>
    page !== null && withoutDeleted(page.items, deletions).some(({ id }) => !known.has(id));

  const ask = async (): Promise<PostPage | null> => {
    const last = queryClient.getQueryData<PostPage | null>(queryKeys.newerPosts) ?? null;
    const read = last ?? queryClient.getQueryData<PostPages>(queryKeys.posts.feed)?.pages[0];
    // A feed of one page has no cursor. What is announced may have gone, or been read meanwhile.
    if (read?.nextCursor && !hasUnseen(last) && (await countNewer(read.nextCursor)) === 0) return last;
    return unwrap(client.GET('/api/feed', { params: { query: { limit: CHECKED_POSTS } } }));
  };
  const { data: first } = useQuery({
    queryKey: queryKeys.newerPosts,
    queryFn: ask,
    initialData: null,
    initialDataUpdatedAt: readAt,
    staleTime: CHECK_INTERVAL_MS,
    refetchInterval: CHECK_INTERVAL_MS,
    refetchOnWindowFocus: true,
    retry: false,
  });

  const refresh = async () => {
    const { feed } = queryKeys.posts;
    // Only its beginning: the pages after it are asked for again as they are scrolled to.
    queryClient.setQueryData<PostPages>(feed, (pages) => pages && firstPage(pages));
    await queryClient.refetchQueries({ queryKey: feed }, { throwOnError: true });
    queryClient.setQueryData(queryKeys.newerPosts, null);
  };
  return { newer: hasUnseen(first), refresh };
}

async function countNewer(cursor: string): Promise<number> {
  const { count } = await unwrap(client.GET('/api/feed/newer', { params: { query: { cursor } } }));
  return count;
}

const firstPage = ({ pages, pageParams }: PostPages): PostPages => ({
  pages: pages.slice(0, 1),
  pageParams: pageParams.slice(0, 1),
});
