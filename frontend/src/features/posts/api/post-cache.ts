import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { Post, PostPage } from '../../../api/types.js';

export type PostPages = InfiniteData<PostPage, string | undefined>;

/** Everything under `all` holds posts, so that one change reaches every list a post stands in. */
export const postKeys = {
  all: ['posts'] as const,
  feed: ['posts', 'feed'] as const,
  /** Posts made during this visit; they stand first in the feed until the next one (decisions 6). */
  pinned: ['posts', 'pinned'] as const,
  byUser: (userId: string) => ['posts', 'by-user', userId] as const,
  one: (id: string) => ['posts', 'one', id] as const,
};

type Cached = PostPages | Post[] | Post | undefined;

const isPages = (cached: Cached): cached is PostPages => cached !== undefined && 'pages' in cached;

/** The same cache entry with post `id` changed, or taken out where `change` gives undefined. Untouched if not in it. */
export function changeCached(cached: Cached, id: string, change: (post: Post) => Post | undefined): Cached {
  const changeList = (posts: Post[]): Post[] => {
    if (!posts.some((post) => post.id === id)) return posts;
    return posts.flatMap((post) => (post.id === id ? (change(post) ?? []) : post));
  };
  if (cached === undefined) return cached;
  if (Array.isArray(cached)) return changeList(cached);
  if (isPages(cached)) {
    const pages = cached.pages.map((page) => {
      const items = changeList(page.items);
      return items === page.items ? page : { ...page, items };
    });
    return pages.every((page, index) => page === cached.pages[index]) ? cached : { ...cached, pages };
  }
  return cached.id === id ? (change(cached) ?? cached) : cached;
}

export function changePost(
  queryClient: QueryClient,
  id: string,
  change: (post: Post) => Post | undefined,
): void {
  queryClient.setQueriesData<Cached>({ queryKey: postKeys.all }, (cached) =>
    changeCached(cached, id, change),
  );
}

/** Turns the viewer's like on or off; the count follows and never falls below 0. */
export function withLike<T extends { likedByViewer: boolean; likeCount: number }>(
  target: T,
  liked: boolean,
): T {
  if (target.likedByViewer === liked) return target;
  return { ...target, likedByViewer: liked, likeCount: Math.max(0, target.likeCount + (liked ? 1 : -1)) };
}

export const withCommentCount = (post: Post, by: number): Post => ({
  ...post,
  commentCount: Math.max(0, post.commentCount + by),
});

/** The posts to show: pinned first, each once, in the freshest copy (the one the server's list brought, if any). */
export function inOrder(pages: PostPage[], pinned: Post[] = []): Post[] {
  const listed = new Map<string, Post>();
  for (const page of pages) for (const post of page.items) listed.set(post.id, listed.get(post.id) ?? post);
  const first = pinned.map((post) => listed.get(post.id) ?? post);
  for (const { id } of pinned) listed.delete(id);
  return [...first, ...listed.values()];
}
