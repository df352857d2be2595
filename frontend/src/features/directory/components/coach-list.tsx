import type { ReactNode } from 'react';
import { InfiniteSentinel } from '../../../components/infinite-sentinel.js';
import { NextPart } from '../../../components/list-start.js';
import { CardSkeletons, LoadError } from '../../../components/states.js';
import type { Profile } from '../../../api/types.js';
import { nextCursorOf } from '../../../server/queries/paged-list.js';
import { useCoaches } from '../../../shared/coaches.js';
import type { CoachSearch } from '../../../shared/coaches.js';
import { useDirectoryTexts } from '../texts.js';
import { CoachCard } from './coach-card.js';
import classes from './directory.module.css';

interface CoachListProps {
  search: CoachSearch;
  /** The cursor that the list begins after. */
  start: string | undefined;
  empty: ReactNode;
  /** What can be done with each coach. */
  action: (coach: Profile) => ReactNode;
}

/** The coaches that match a search, with their loading, empty and error states. */
export function CoachList({ search, start, empty, action }: CoachListProps) {
  const { app, directory } = useDirectoryTexts();
  const query = useCoaches(search, start);
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
          <CoachCard key={coach.id} coach={coach} action={action(coach)} />
        ))}
      </ul>
      <InfiniteSentinel list={{ ...query, hasNextPage: query.hasNextPage && !query.isPlaceholderData }} />
      <NextPart label={app.loadMore} cursor={nextCursorOf(query.data)} />
    </>
  );
}
