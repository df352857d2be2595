import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import { withItems } from '../../../server/queries/paged-list.js';
import { queryKey, queryKeys } from '../../../server/queries/query-keys.js';
import type { Comment, CommentPage } from '../../../api/types.js';

/** A comment that is being sent is shown without controls. */
export type ShownComment = Comment & { pending?: true };

export type CommentPages = InfiniteData<
  Omit<CommentPage, 'items'> & { items: ShownComment[] },
  string | undefined
>;

/** Comments made during this visit under a list that is not loaded to its end. */
export const freshCommentsKey = (postId: string) => queryKey('fresh-comments', postId);

/**
 * Comments written here while older ones were not loaded yet. They are the newest, so they are shown below those; reading
 * the loaded pages again does not lose them.
 */
const freshOf = (queryClient: QueryClient, postId: string) =>
  queryClient.getQueryData<ShownComment[]>(freshCommentsKey(postId)) ?? [];

/** Shows a comment at its place: below the loaded ones, and where there are more to load below those. */
export function showComment(queryClient: QueryClient, postId: string, comment: ShownComment): void {
  const key = queryKeys.comments.ofPost(postId);
  const pages = queryClient.getQueryData<CommentPages>(key);
  const whole = pages?.pages.at(-1)?.nextCursor === null;
  if (whole) queryClient.setQueryData<CommentPages>(key, appendComment(pages, comment));
  else queryClient.setQueryData(freshCommentsKey(postId), [...freshOf(queryClient, postId), comment]);
}

/** Changes comment `id` wherever it is shown, or removes it if `change` returns undefined. */
export function changeShownComment(
  queryClient: QueryClient,
  postId: string,
  id: string,
  change: (comment: ShownComment) => ShownComment | undefined,
): void {
  queryClient.setQueryData<CommentPages>(queryKeys.comments.ofPost(postId), (pages) =>
    changeComment(pages, id, change),
  );
  queryClient.setQueryData<ShownComment[]>(
    freshCommentsKey(postId),
    (fresh) => fresh && changeIn(fresh, id, change),
  );
}

/** Appends a comment to the loaded pages: the list is oldest first. */
export function appendComment(
  pages: CommentPages | undefined,
  comment: ShownComment,
): CommentPages | undefined {
  const last = pages?.pages.at(-1);
  if (!pages || !last) return pages;
  return { ...pages, pages: [...pages.pages.slice(0, -1), { ...last, items: [...last.items, comment] }] };
}

/** Changes comment `id`, or removes it if `change` returns undefined. */
export function changeComment(
  pages: CommentPages | undefined,
  id: string,
  change: (comment: ShownComment) => ShownComment | undefined,
): CommentPages | undefined {
  return pages && withItems(pages, (comments) => changeIn(comments, id, change));
}

const changeIn = (
  comments: ShownComment[],
  id: string,
  change: (comment: ShownComment) => ShownComment | undefined,
): ShownComment[] => comments.flatMap((comment) => (comment.id === id ? (change(comment) ?? []) : comment));

/** Every comment once. A comment appended here may come again in a later page; its later place is correct. */
export function listComments({ pages }: Pick<CommentPages, 'pages'>): ShownComment[] {
  const byId = new Map<string, ShownComment>();
  for (const page of pages) {
    for (const comment of page.items) {
      byId.delete(comment.id);
      byId.set(comment.id, comment);
    }
  }
  return [...byId.values()];
}
