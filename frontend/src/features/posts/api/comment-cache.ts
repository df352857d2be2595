import type { InfiniteData } from '@tanstack/react-query';
import type { Comment, CommentPage } from '../../../api/types.js';

/** A comment on its way to the server is shown already, without controls. */
export type ShownComment = Comment & { pending?: true };

export type CommentPages = InfiniteData<
  Omit<CommentPage, 'items'> & { items: ShownComment[] },
  string | undefined
>;

/** Puts a comment at the end of what is loaded: the list is oldest first. */
export function appendComment(
  pages: CommentPages | undefined,
  comment: ShownComment,
): CommentPages | undefined {
  const last = pages?.pages.at(-1);
  if (!pages || !last) return pages;
  return { ...pages, pages: [...pages.pages.slice(0, -1), { ...last, items: [...last.items, comment] }] };
}

/** Changes comment `id`, or takes it out where `change` gives undefined. */
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

/** Every comment once. One appended by us may come again with a later page: its later place is the right one. */
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
