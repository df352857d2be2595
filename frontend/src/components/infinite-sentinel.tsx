import { useEffect, useLayoutEffect, useRef } from 'react';
import { useTexts } from '../i18n/texts.js';
import { BusyButton } from './busy-button.js';
import classes from './infinite-sentinel.module.css';
import { watchNear } from './watch-near.js';

/** The part of `useInfiniteQuery`'s result that loading on needs. */
export interface LoadsOn {
  /** Another value after each page: a page may be too short to move the end out of view. */
  data: unknown;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  fetchNextPage: () => unknown;
}

/** Loads the next page near the end of the list. Its button does so by keyboard, and retries after an error. */
export function InfiniteSentinel({ list }: { list: LoadsOn }) {
  const { app } = useTexts();
  const { data, hasNextPage: hasMore, isFetchingNextPage: busy, isFetchNextPageError: failed } = list;
  const onMore = () => void list.fetchNextPage();
  const end = useRef<HTMLDivElement>(null);
  const more = useRef(onMore);
  useEffect(() => {
    more.current = onMore;
  });

  // The button goes with the last page: then the last entry of the list before it has the focus that the button had.
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (!hasMore) return;
    const sentinel = end.current;
    const own = button.current;
    return () => {
      if (document.activeElement !== own) return;
      const last = sentinel?.previousElementSibling?.lastElementChild;
      if (last instanceof HTMLElement) last.focus({ preventScroll: true });
    };
  }, [hasMore]);

  const watching = hasMore && !busy && !failed;
  useEffect(() => {
    if (!watching || !end.current) return;
    return watchNear(end.current, '800px', () => more.current());
  }, [watching, data]);

  if (!hasMore) return null;
  return (
    <div ref={end} className={classes.end} role={failed ? 'alert' : undefined}>
      {failed && <p>{app.loadFailed}</p>}
      <BusyButton
        ref={button}
        variant="subtle"
        color="gray"
        label={failed ? app.retry : app.loadMore}
        busy={busy}
        onClick={onMore}
      />
    </div>
  );
}
