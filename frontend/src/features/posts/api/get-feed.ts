import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useNavigationType } from 'react-router-dom';
import { byCursor } from '../../../server/queries/paged-list.js';
import { queryKeys } from '../../../server/queries/query-keys.js';
import type { Me, Post } from '../../../api/types.js';
import { client, unwrap } from '../../../server/client/client.js';
import { useDeletions, withoutDeleted } from '../../../components/feedback/deletions.js';
import { useCurrentUser } from '../../../server/session/session.js';
import { inOrder } from './post-cache.js';

const fetchFeed = (cursor: string | undefined) =>
  unwrap(client.GET('/api/feed', { params: { query: { cursor } } }));

/** Pinned posts are never read again, so their author's current name, username and badge come from the session. */
function asWrittenBy(viewer: Me, post: Post): Post {
  if (post.author.id !== viewer.id) return post;
  const { name, username, profileImage, isCoach, subscriptionPrice, subscriptionCurrency } = viewer;
  const current = { name, username, profileImage, isCoach, subscriptionPrice, subscriptionCurrency };
  return { ...post, author: { ...post.author, ...current } };
}

/**
 * The ranked feed (GET /api/feed), page after page, with the posts made during this visit first. Going back to it shows it
 * as it was left, unless what may be seen has changed (a block, say); a new visit reads it again.
 */
export function useFeed() {
  const goingBack = useNavigationType() === 'POP';
  const feed = useInfiniteQuery({
    queryKey: queryKeys.posts.feed,
    ...byCursor(fetchFeed),
    // The list must not reorder while the user reads.
    refetchOnWindowFocus: false,
    refetchOnMount: (query) => !goingBack || query.state.isInvalidated,
    staleTime: 60_000,
  });
  const { data: pinned } = useQuery<Post[]>({
    queryKey: queryKeys.pinnedPosts,
    queryFn: () => [],
    staleTime: Infinity,
    gcTime: Infinity,
  });
  const pages = feed.data?.pages;
  const viewer = useCurrentUser();
  const deletions = useDeletions();
  const posts = useMemo(() => {
    if (!pages) return undefined;
    const ordered = inOrder(pages, viewer ? pinned?.map((post) => asWrittenBy(viewer, post)) : pinned);
    return withoutDeleted(ordered, deletions);
  }, [pages, pinned, viewer, deletions]);
  return { ...feed, posts };
}
