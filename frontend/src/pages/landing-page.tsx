import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { lazyWithQueries } from '../components/lazy-with-queries.js';
import { SiteFooter } from '../components/site-footer.js';
import { Title } from '../components/title.js';
import { WhenNear } from '../components/when-near.js';
import { Audiences } from '../features/landing/components/audiences.js';
import { Hero } from '../features/landing/components/hero.js';
import { HowItWorks } from '../features/landing/components/how-it-works.js';
import { useLandingTexts } from '../features/landing/texts.js';
import classes from './landing-page.module.css';

const Glimpse = lazyWithQueries(() => import('./parts/landing-glimpse.js').then((module) => module.Glimpse));

export default function LandingPage() {
  const { app, landing } = useLandingTexts();
  return (
    <>
      <Title address="/">{app.name}</Title>
      <Hero />
      <div className={classes.sections}>
        <Audiences />
        <WhenNear className={classes.glimpse}>
          <Glimpse />
        </WhenNear>
        <HowItWorks />
        <Button component={Link} to="/signup" size="lg" variant="default" className={classes.join}>
          {landing.joinNow}
        </Button>
        <SiteFooter />
      </div>
    </>
  );
}
