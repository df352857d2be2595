import type { ReactNode } from 'react';
import { useRef } from 'react';
import type { Post } from '../../../api/types.js';
import { InfiniteSentinel } from '../../../components/infinite-sentinel.js';
import { CardSkeletons, LoadError } from '../../../components/states.js';
import { useShortcuts } from '../../../components/shortcuts/use-shortcuts.js';
import { PostCard } from './post-card.js';
import type { MoreItems } from './post-menu.js';
import classes from './post-list.module.css';

/** The result of useFeed and useUserPosts. */
interface PostListQuery {
  posts: Post[] | undefined;
  error: unknown;
  isFetchNextPageError: boolean;
  isFetchingNextPage: boolean;
  hasNextPage: boolean;
  refetch: () => unknown;
  fetchNextPage: () => unknown;
}

interface PostListProps {
  label: string;
  query: PostListQuery;
  empty: ReactNode;
  moreItems?: MoreItems;
  /** Shown under the last post. */
  end?: ReactNode;
}

/** Posts with loading, empty and error states; j and k move between posts, l likes. */
export function PostList({ label, query, empty, moreItems, end }: PostListProps) {
  const list = useRef<HTMLDivElement>(null);
  const { posts } = query;

  const cards = () => [...(list.current?.querySelectorAll<HTMLElement>('[data-post]') ?? [])];
  const current = () => cards().findIndex((card) => card.contains(document.activeElement));
  const move = (by: 1 | -1) => {
    const all = cards();
    const next = all[Math.max(0, current() + by)];
    next?.focus({ preventScroll: true });
    next?.scrollIntoView({ block: 'nearest' });
  };
  useShortcuts({
    j: () => move(1),
    k: () => move(-1),
    l: () => cards()[current()]?.querySelector<HTMLElement>('[data-action=like]')?.click(),
  });

  if (!posts) {
    if (query.error) return <LoadError error={query.error} onRetry={() => void query.refetch()} />;
    return <CardSkeletons />;
  }
  if (posts.length === 0 && !query.hasNextPage) return empty;
  return (
    <>
      <div
        ref={list}
        className={classes.list}
        role="feed"
        aria-label={label}
        aria-busy={query.isFetchingNextPage}
      >
        {posts.map((post) => (
          <PostCard key={post.id} post={post} moreItems={moreItems} />
        ))}
      </div>
      <InfiniteSentinel
        hasMore={query.hasNextPage}
        busy={query.isFetchingNextPage}
        failed={query.isFetchNextPageError}
        onMore={() => void query.fetchNextPage()}
      />
      {!query.hasNextPage && end}
    </>
  );
}
