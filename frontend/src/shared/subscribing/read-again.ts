import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import { withItems } from '../../server/queries/paged-list.js';
import { queryKeys } from '../../server/queries/query-keys.js';
import type { PostPage } from '../../api/types.js';
import { client, unwrap } from '../../server/client/client.js';

type Feed = InfiniteData<PostPage, string | undefined>;

/** Reads again what a subscription opens or locks; resolves when what is on the page has been read. */
export async function readAgainAfterSubscription(
  queryClient: QueryClient,
  coachId: string,
  access: boolean,
): Promise<void> {
  const { posts, comments, likes, reviews, subscriptions, newerPosts } = queryKeys;
  const isFeed = (hash: string) => hash === JSON.stringify(posts.feed);
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: posts.all, predicate: ({ queryHash }) => !isFeed(queryHash) }),
    access ? openInFeed(queryClient, coachId) : queryClient.invalidateQueries({ queryKey: posts.feed }),
    queryClient.invalidateQueries({ queryKey: comments.all }),
    queryClient.invalidateQueries({ queryKey: likes.all }),
    // Who has subscribed once is a verified subscriber.
    queryClient.invalidateQueries({ queryKey: reviews.ofCoach(coachId) }),
    queryClient.invalidateQueries({ queryKey: subscriptions }),
    queryClient.invalidateQueries({ queryKey: newerPosts }),
  ]);
}

/**
 * The locked posts of a feed that is open are opened where they stand: read again as a whole it would be ranked anew, and the
 * post whose button was pressed would be elsewhere. The next visit reads it again.
 */
async function openInFeed(queryClient: QueryClient, coachId: string): Promise<void> {
  const queryKey = queryKeys.posts.feed;
  const feed = queryClient.getQueryData<Feed>(queryKey);
  if (!queryClient.getQueryCache().find({ queryKey })?.isActive() || !feed) {
    return queryClient.invalidateQueries({ queryKey, refetchType: 'none' });
  }
  const locked = feed.pages.flatMap(({ items }) =>
    items.filter((post) => post.locked && post.author.id === coachId),
  );
  try {
    const opened = await Promise.all(
      locked.map(({ id }) => unwrap(client.GET('/api/posts/{id}', { params: { path: { id } } }))),
    );
    const byId = new Map(opened.map((post) => [post.id, post]));
    queryClient.setQueryData<Feed>(
      queryKey,
      (shown) => shown && withItems(shown, (items) => items.map((post) => byId.get(post.id) ?? post)),
      { updatedAt: 1 },
    );
  } catch {
    await queryClient.invalidateQueries({ queryKey });
  }
}
