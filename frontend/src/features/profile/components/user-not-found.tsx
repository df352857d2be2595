import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { useProfileMessages } from '../messages.js';
import classes from './profile.module.css';

export function UserNotFound() {
  const { app, profile: texts } = useProfileMessages();
  return (
    <section className={`card ${classes.notFound}`}>
      <h1 className={classes.name}>{texts.notFoundTitle}</h1>
      <p className={classes.muted}>{texts.notFoundText}</p>
      <Button component={Link} to="/feed" variant="default">
        {app.backToFeed}
      </Button>
    </section>
  );
}
