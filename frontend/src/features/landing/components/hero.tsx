import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { useLandingTexts } from '../texts.js';
import { HeroVideo } from './hero-video.js';
import classes from './landing.module.css';

export function Hero() {
  const { landing } = useLandingTexts();
  return (
    <section className={classes.hero}>
      <div className={classes.heroText}>
        <h1 className={classes.title}>{landing.title}</h1>
        <p className={classes.lead}>{landing.lead}</p>
        <Button component={Link} to="/signup" size="lg">
          {landing.join}
        </Button>
      </div>
      <HeroVideo />
    </section>
  );
}
