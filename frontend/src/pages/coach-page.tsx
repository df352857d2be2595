import { Button } from '@mantine/core';
import { Link, useParams } from 'react-router-dom';
import { useDirectoryTexts } from '../features/directory/texts.js';
import { useProfile } from '../features/profile/api/get-profile.js';
import { statsByUsername } from '../features/profile/components/stats.js';
import classes from './pages.module.css';
import { PublicProfile } from './parts/public-profile.js';

/** /coaches/{coachId}: the coach's profile; only here its owner also publishes (UI-26). */
export default function CoachPage() {
  const { directory } = useDirectoryTexts();
  const { coachId = '' } = useParams();
  const query = useProfile(coachId);
  return (
    <PublicProfile
      query={query}
      stats={statsByUsername}
      missing={query.data?.isCoach === false}
      missingTitle={directory.notFoundTitle}
      missingPage={
        <section className={`card ${classes.center}`}>
          <h1 className={classes.title}>{directory.notFoundTitle}</h1>
          <p className={classes.muted}>{directory.notFoundText}</p>
          <Button component={Link} to="/coaches" variant="default">
            {directory.browse}
          </Button>
        </section>
      }
      ownerPublishes
    />
  );
}
