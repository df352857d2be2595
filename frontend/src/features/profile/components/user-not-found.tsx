import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { useCurrentUser } from '../../../server/session/session.js';
import { useProfileTexts } from '../texts.js';
import classes from './profile.module.css';

/** An unknown username or user's id; visitors have no feed (UI-6). */
export function UserNotFound() {
  const { app, profile } = useProfileTexts();
  const viewer = useCurrentUser();
  return (
    <section className={`card ${classes.notFound}`}>
      <h1 className={classes.name}>{profile.notFoundTitle}</h1>
      <p className={classes.muted}>{profile.notFoundText}</p>
      <Button component={Link} to={viewer ? '/feed' : '/'} variant="default">
        {viewer ? app.backToFeed : app.backHome}
      </Button>
    </section>
  );
}
