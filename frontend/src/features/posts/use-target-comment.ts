import { useEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';
import { commentOfHash } from '../../shared/comment-anchor.js';
import type { useComments } from './api/get-comments.js';

/** More are loaded by the reader, who sees the post and its first comments until then. */
const MOST_PAGES = 20;

/**
 * Goes to the comment that the address names, as a notification does, and loads the list as far as that, or again where it
 * has ended without it; once for each visit. Going back returns to where the reader was instead.
 */
export function useTargetComment(list: ReturnType<typeof useComments>): void {
  const { hash, key } = useLocation();
  // The first address of a visit is a POP, too, with this key.
  const isArrival = useNavigationType() !== 'POP' || key === 'default';
  const target = isArrival ? commentOfHash(hash) : undefined;
  const served = useRef<string>(undefined);
  const readAgain = useRef<string>(undefined);

  const { comments, data, fetchNextPage, refetch, hasNextPage } = list;
  const isListed = comments?.some(({ id }) => id === target) === true;
  const isReady = data !== undefined && !list.isFetching && !list.isFetchNextPageError;
  const pages = data?.pages.length ?? 0;
  useEffect(() => {
    if (target === undefined || served.current === key) return;
    if (isListed) {
      served.current = key;
      const item = document.querySelector<HTMLElement>(`[data-comment="${target}"]`);
      item?.scrollIntoView({ block: 'center' });
      item?.focus({ preventScroll: true });
    } else if (isReady && hasNextPage) {
      if (pages < MOST_PAGES) void fetchNextPage();
    } else if (isReady && readAgain.current !== key) {
      // It was loaded before the comment was written.
      readAgain.current = key;
      void refetch();
    }
  }, [target, key, isListed, isReady, hasNextPage, pages, fetchNextPage, refetch]);
}
