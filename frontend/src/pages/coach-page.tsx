import { Button } from '@mantine/core';
import { Link, useParams } from 'react-router-dom';
import { useProfile } from '../features/profile/api/get-profile.js';
import { statsByUsername } from '../features/profile/components/stats.js';
import { useProfileTexts } from '../features/profile/texts.js';
import classes from './pages.module.css';
import { PublicProfile } from './parts/public-profile.js';

/** /coaches/{coachId}: the coach's profile; only here its owner also publishes (UI-26). */
export default function CoachPage() {
  const texts = useProfileTexts();
  const { coachId = '' } = useParams();
  const query = useProfile(coachId);
  return (
    <PublicProfile
      query={query}
      stats={statsByUsername}
      missing={query.data?.isCoach === false}
      missingTitle={texts.profile.coachNotFoundTitle}
      missingPage={
        <section className={`card ${classes.center}`}>
          <h1 className={classes.title}>{texts.profile.coachNotFoundTitle}</h1>
          <p className={classes.muted}>{texts.profile.coachNotFoundText}</p>
          <Button component={Link} to="/coaches" variant="default">
            {texts.profile.browseCoaches}
          </Button>
        </section>
      }
      ownerPublishes
    />
  );
}
