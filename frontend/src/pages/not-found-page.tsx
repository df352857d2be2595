import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { Title } from '../components/title.js';
import { usePageTexts } from './texts.js';
import classes from './pages.module.css';

/** An address that is none of the application (UI-6). */
export default function NotFoundPage() {
  const { app, notFound } = usePageTexts();
  return (
    <section className={`card ${classes.center}`}>
      <Title>{app.title(notFound.title)}</Title>
      <h1 className={classes.title}>{notFound.title}</h1>
      <p className={classes.muted}>{notFound.text}</p>
      <Button component={Link} to="/" variant="default">
        {app.backHome}
      </Button>
    </section>
  );
}
