import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import { queryKeys } from '../../../server/queries/query-keys.js';
import type { Post, PostPage } from '../../../api/types.js';
import { forgetDraftsOf } from '../drafts.js';

export type PostPages = InfiniteData<PostPage, string | undefined>;

const HOLDING_POSTS = [queryKeys.posts.all, queryKeys.pinnedPosts];

type Cached = PostPages | Post[] | Post | undefined;

const isPages = (cached: Cached): cached is PostPages => cached !== undefined && 'pages' in cached;

/** The cache entry with post `id` changed, or removed if `change` returns undefined. The same object if not in it. */
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

/** Changes post `id` in every cached list, or removes it if `change` returns undefined. */
export function changePost(
  queryClient: QueryClient,
  id: string,
  change: (post: Post) => Post | undefined,
): void {
  for (const queryKey of HOLDING_POSTS)
    queryClient.setQueriesData<Cached>({ queryKey }, (cached) => changeCached(cached, id, change));
}

/** For a post that the server no longer has: removes it from every list, and its own page is read again. */
export function dropPost(queryClient: QueryClient, id: string): void {
  changePost(queryClient, id, () => undefined);
  forgetDraftsOf(id);
  void queryClient.invalidateQueries({ queryKey: queryKeys.posts.one(id) });
}

/** Sets or removes the viewer's like; the count changes with it and never falls below 0. */
export function withLike<T extends { likedByViewer: boolean; likeCount: number }>(
  target: T,
  liked: boolean,
): T {
  if (target.likedByViewer === liked) return target;
  return { ...target, likedByViewer: liked, likeCount: Math.max(0, target.likeCount + (liked ? 1 : -1)) };
}

/** `post` with the media of `fresh`, which was read later and has new addresses. Where the post is locked by now, `fresh` itself. */
export function withMedia(post: Post, fresh: Post): Post {
  const { images, imageCount, video, hasVideo } = fresh;
  return fresh.locked ? fresh : { ...post, images, imageCount, video, hasVideo };
}

export const withCommentCount = (post: Post, by: number): Post => ({
  ...post,
  commentCount: Math.max(0, post.commentCount + by),
});

/** The posts to show: pinned ones first, each once, in the server's copy where the list contains it. */
export function inOrder(pages: PostPage[], pinned: Post[] = []): Post[] {
  const listed = new Map<string, Post>();
  for (const page of pages) for (const post of page.items) listed.set(post.id, listed.get(post.id) ?? post);
  const first = pinned.map((post) => listed.get(post.id) ?? post);
  for (const { id } of pinned) listed.delete(id);
  return [...first, ...listed.values()];
}
