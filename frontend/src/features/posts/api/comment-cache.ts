import type { InfiniteData } from '@tanstack/react-query';
import type { Comment, CommentPage } from '../../../api/types.js';

/** A comment that is being sent is shown without controls. */
export type ShownComment = Comment & { pending?: true };

export type CommentPages = InfiniteData<
  Omit<CommentPage, 'items'> & { items: ShownComment[] },
  string | undefined
>;

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
  if (!pages) return pages;
  const changed = pages.pages.map((page) => ({
    ...page,
    items: page.items.flatMap((comment) => (comment.id === id ? (change(comment) ?? []) : comment)),
  }));
  return { ...pages, pages: changed };
}

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
