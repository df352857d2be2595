import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query';
import { queryKeys } from '../../../api/query-keys.js';
import type { Post, PostPage } from '../../../api/types.js';
import { forgetCommentDraft } from '../drafts.js';

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
  forgetCommentDraft(id);
  void queryClient.invalidateQueries({ queryKey: queryKeys.posts.one(id) });
}

export type PostsSnapshot = [QueryKey, Cached][];

export const snapshotPosts = (queryClient: QueryClient): PostsSnapshot =>
  HOLDING_POSTS.flatMap((queryKey) => queryClient.getQueriesData<Cached>({ queryKey }));

const has = (posts: Post[], id: string) => posts.some((post) => post.id === id);

/** `posts` with post `id` before the first that followed it in `earlier`. */
function insertBack(posts: Post[], earlier: Post[], id: string): Post[] {
  const from = earlier.findIndex((post) => post.id === id);
  const followers = new Set(earlier.slice(from + 1).map((post) => post.id));
  const next = posts.findIndex((post) => followers.has(post.id));
  const at = next < 0 ? posts.length : next;
  return [...posts.slice(0, at), ...earlier.slice(from, from + 1), ...posts.slice(at)];
}

/** The cache entry with post `id` at its place in `before`. Unchanged if the entry has the post, or `before` has not. */
export function putBack(cached: Cached, before: Cached, id: string): Cached {
  if (cached === undefined || before === undefined) return cached;
  if (Array.isArray(cached) && Array.isArray(before))
    return has(before, id) && !has(cached, id) ? insertBack(cached, before, id) : cached;
  if (isPages(cached) && isPages(before)) {
    const place = before.pages.findIndex(({ items }) => has(items, id));
    const page = before.pages[place];
    if (!page || cached.pages.some(({ items }) => has(items, id))) return cached;
    const target = Math.min(place, cached.pages.length - 1);
    const pages = cached.pages.map((current, index) =>
      index === target ? { ...current, items: insertBack(current.items, page.items, id) } : current,
    );
    return { ...cached, pages };
  }
  return cached;
}

/** Restores post `id` at its place in `before`; other changes since then stay. */
export function putPostBack(queryClient: QueryClient, id: string, before: PostsSnapshot): void {
  for (const [queryKey, held] of before)
    queryClient.setQueryData<Cached>(queryKey, (cached) => putBack(cached, held, id));
}

/** Sets or removes the viewer's like; the count changes with it and never falls below 0. */
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

/** The posts to show: pinned ones first, each once, in the server's copy where the list contains it. */
export function inOrder(pages: PostPage[], pinned: Post[] = []): Post[] {
  const listed = new Map<string, Post>();
  for (const page of pages) for (const post of page.items) listed.set(post.id, listed.get(post.id) ?? post);
  const first = pinned.map((post) => listed.get(post.id) ?? post);
  for (const { id } of pinned) listed.delete(id);
  return [...first, ...listed.values()];
}
