import { Button } from '@mantine/core';
import { Link, useSearchParams } from 'react-router-dom';
import { Empty } from '../components/states.js';
import type { CoachSearch } from '../features/directory/api/get-coaches.js';
import { CoachList } from '../features/directory/components/coach-list.js';
import { SearchFields } from '../features/directory/components/search-fields.js';
import { useDirectoryMessages } from '../features/directory/messages.js';
import { useCurrentUser } from '../session/session.js';
import classes from './pages.module.css';

const NO_SEARCH: CoachSearch = { q: '', specialty: '' };

/** See UI-31. The search is part of the address, so that it can be shared. */
export default function CoachesPage() {
  const { app, directory } = useDirectoryMessages();
  const viewer = useCurrentUser();
  const [params, setParams] = useSearchParams();
  const search = { q: params.get('q')?.trim() ?? '', specialty: params.get('specialty') ?? '' };
  const searching = search.q !== '' || search.specialty !== '';

  const change = ({ q, specialty }: CoachSearch) =>
    setParams({ ...(q && { q }), ...(specialty && { specialty }) }, { replace: true });

  return (
    <div className={classes.wide}>
      <title>{app.title(directory.title)}</title>
      <div>
        <h1 className={classes.title}>{directory.title}</h1>
        <p className={classes.muted}>{directory.lead}</p>
      </div>
      <SearchFields search={search} onChange={change} />
      <CoachList
        search={search}
        empty={
          searching ? (
            <Empty action={<Button onClick={() => change(NO_SEARCH)}>{directory.clear}</Button>}>
              {directory.noMatch}
            </Empty>
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
