import type { ReactNode } from 'react';
import { InfiniteSentinel } from '../../../components/infinite-sentinel.js';
import { CardSkeletons, LoadError } from '../../../components/states.js';
import { useCoaches } from '../api/get-coaches.js';
import type { CoachSearch } from '../api/get-coaches.js';
import { useDirectoryMessages } from '../messages.js';
import { CoachCard } from './coach-card.js';
import classes from './directory.module.css';

/** The coaches that match a search, with their loading, empty and error states. */
export function CoachList({ search, empty }: { search: CoachSearch; empty: ReactNode }) {
  const { directory } = useDirectoryMessages();
  const query = useCoaches(search);
  const { coaches } = query;

  if (!coaches || (query.isError && query.isPlaceholderData)) {
    if (query.error) return <LoadError error={query.error} onRetry={() => void query.refetch()} />;
    return <CardSkeletons count={6} className={classes.list} />;
  }
  if (coaches.length === 0 && !query.hasNextPage) return empty;
  return (
    <>
      <ul className={classes.list} aria-label={directory.list} aria-busy={query.isPlaceholderData}>
        {coaches.map((coach) => (
          <CoachCard key={coach.id} coach={coach} />
        ))}
      </ul>
      <InfiniteSentinel
        hasMore={query.hasNextPage && !query.isPlaceholderData}
        busy={query.isFetchingNextPage}
        failed={query.isFetchNextPageError}
        onMore={() => void query.fetchNextPage()}
      />
    </>
  );
}
