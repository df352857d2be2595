import type { ReactNode } from 'react';
import { useDeferredValue, useRef } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Post } from '../../../api/types.js';
import { InfiniteSentinel } from '../../../components/infinite-sentinel.js';
import type { LoadsOn } from '../../../components/infinite-sentinel.js';
import { NextPart } from '../../../components/list-start.js';
import { CardSkeletons, LoadError } from '../../../components/states.js';
import { useShortcuts } from '../../../components/shortcuts/use-shortcuts.js';
import { useTexts } from '../../../i18n/texts.js';
import { postPath } from '../post-path.js';
import { PostCard } from './post-card.js';
import type { PaywallOf, ShowLikes } from './post-card.js';
import type { MoreEntries } from './post-menu.js';
import classes from './post-list.module.css';

/** The result of useFeed and useUserPosts. */
interface PostListQuery extends LoadsOn {
  posts: Post[] | undefined;
  error: unknown;
  refetch: () => unknown;
}

interface PostListProps {
  label: string;
  query: PostListQuery;
  empty: ReactNode;
  /** The cursor of the next part, where that has an address (UI-70). */
  next?: string | null;
  moreEntries?: MoreEntries;
  onShowLikes?: ShowLikes;
  paywall?: PaywallOf;
  /** Shown under the last post. */
  end?: ReactNode;
}

/** What fits on a screen. */
const FIRST_POSTS = 2;

const focused = (cards: HTMLElement[]) => cards.find((card) => card.contains(document.activeElement));

/** The post after or before the one that has the focus, or, where that is out of sight, from the one being read. */
export function neighbour(cards: HTMLElement[], by: 1 | -1): HTMLElement | undefined {
  const isInSight = (card: HTMLElement) => {
    const { top, bottom } = card.getBoundingClientRect();
    return bottom > 0 && top < innerHeight;
  };
  const from = focused(cards);
  if (from && isInSight(from)) return cards[Math.max(0, cards.indexOf(from) + by)];
  // Where a post begins below the bar, as it does after a move.
  const begins = (card: HTMLElement) =>
    card.getBoundingClientRect().top >= (parseFloat(getComputedStyle(card).scrollMarginTop) || 0) - 1;
  const next = cards.findIndex(begins);
  if (by === 1) return next < 0 ? cards.at(-1) : cards[next];
  return next < 0 ? cards.at(-1) : cards[Math.max(0, next - 1)];
}

/** Posts with loading, empty and error states; j and k move between posts, l likes, o opens. */
export function PostList({
  label,
  query,
  empty,
  next,
  moreEntries,
  onShowLikes,
  paywall,
  end,
}: PostListProps) {
  const { app } = useTexts();
  const list = useRef<HTMLDivElement>(null);
  const { posts } = query;
  // When posts come, the first are shown before the others are rendered. Those that are there when a page is shown, as after
  // going back, are shown at once.
  const settled = useDeferredValue(posts);
  const all = settled !== undefined;
  const navigate = useNavigate();

  const cards = () => [...(list.current?.querySelectorAll<HTMLElement>('[data-post]') ?? [])];
  const move = (by: 1 | -1) => {
    const card = neighbour(cards(), by);
    card?.focus({ preventScroll: true });
    card?.scrollIntoView({ block: 'nearest' });
  };
  useShortcuts({
    j: () => move(1),
    k: () => move(-1),
    o: () => {
      const { post } = focused(cards())?.dataset ?? {};
      if (post) void navigate(postPath(post));
    },
    l: () => focused(cards())?.querySelector<HTMLElement>('[data-action=like]')?.click(),
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
        aria-busy={!all || query.isFetchingNextPage}
      >
        {(all ? posts : posts.slice(0, FIRST_POSTS)).map((post, index) => (
          <PostCard
            key={post.id}
            post={post}
            inList={{ position: index + 1, of: query.hasNextPage ? -1 : posts.length }}
            arrives={all && settled !== posts}
            moreEntries={moreEntries}
            onShowLikes={onShowLikes}
            paywall={paywall}
          />
        ))}
      </div>
      {all && <InfiniteSentinel list={query} />}
      <NextPart label={app.loadMore} cursor={next} />
      {all && !query.hasNextPage && end}
    </>
  );
}
