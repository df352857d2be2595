import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { useMessages } from '../i18n/messages.js';
import classes from './pages.module.css';

export default function NotFoundPage() {
  const { app, notFound } = useMessages();
  return (
    <section className={classes.center}>
      <title>{app.title(notFound.title)}</title>
      <h1>{notFound.title}</h1>
      <p className={classes.muted}>{notFound.text}</p>
      <Button component={Link} to="/">
        {app.backHome}
      </Button>
    </section>
  );
}
