import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { useProfileTexts } from '../texts.js';
import classes from './profile.module.css';

/** An unknown username or user's id (UI-6). */
export function UserNotFound() {
  const { app, profile } = useProfileTexts();
  return (
    <section className={`card ${classes.notFound}`}>
      <h1 className={classes.name}>{profile.notFoundTitle}</h1>
      <p className={classes.muted}>{profile.notFoundText}</p>
      <Button component={Link} to="/feed" variant="default">
        {app.backToFeed}
      </Button>
    </section>
  );
}
