import { Button } from '@mantine/core';
import { Link, useSearchParams } from 'react-router-dom';
import { ToListStart, useListStart } from '../components/list-start.js';
import { Empty } from '../components/states.js';
import { EVERY_COACH } from '../shared/coaches.js';
import type { CoachSearch } from '../shared/coaches.js';
import { SEARCH, reach } from '../components/shortcuts/targets.js';
import { Title } from '../components/title.js';
import { CoachList } from '../features/directory/components/coach-list.js';
import { SearchFields } from '../features/directory/components/search-fields.js';
import { useDirectoryTexts } from '../features/directory/texts.js';
import { FollowButton } from '../features/people/components/follow-button.js';
import { SubscribeButton } from '../features/subscriptions/components/subscribe-button.js';
import { useCurrentUser } from '../server/session/session.js';
import classes from './pages.module.css';

/** See UI-31. The search is part of the address, so that it can be shared. */
export default function CoachesPage() {
  const { app, directory } = useDirectoryTexts();
  const viewer = useCurrentUser();
  const [params, setParams] = useSearchParams();
  // An address may have come from where accents are composed otherwise.
  const specialty = (params.get('specialty') ?? '').normalize('NFC');
  const search = { q: params.get('q')?.trim() ?? '', specialty };
  const start = useListStart();
  const searching = search.q !== '' || search.specialty !== '';

  const change = ({ q, specialty: chosen }: CoachSearch) =>
    setParams({ ...(q && { q }), ...(chosen && { specialty: chosen }) }, { replace: true });

  // The button goes with the search.
  const clear = () => {
    change(EVERY_COACH);
    reach(SEARCH);
  };

  return (
    <div className={classes.wide}>
      <Title address="/coaches" isPart={start !== undefined}>
        {app.title(directory.title)}
      </Title>
      <div>
        <h1 className={classes.title}>{directory.title}</h1>
        <p className={classes.muted}>{directory.lead}</p>
      </div>
      <SearchFields search={search} onChange={change} />
      <ToListStart />
      <CoachList
        search={search}
        start={start}
        action={(coach) =>
          coach.id !== viewer?.id && (
            <>
              <FollowButton profile={coach} compact />
              <SubscribeButton coach={coach} />
            </>
          )
        }
        empty={
          start !== undefined ? null : searching ? (
            <Empty action={<Button onClick={clear}>{directory.clear}</Button>}>{directory.noMatch}</Empty>
          ) : (
            <Empty
              action={
                <Button component={Link} to={viewer ? '/profile' : '/signup'}>
                  {directory.becomeCoach}
                </Button>
              }
            >
              {directory.empty}
            </Empty>
          )
        }
      />
    </div>
  );
}
