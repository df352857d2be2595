import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { useConfig } from '../api/get-config.js';
import { useLandingTexts } from '../texts.js';
import classes from './landing.module.css';

/** The claim with its figure set large, wherever the language puts it. */
function withFigure(claim: string, figure: string) {
  const [before = '', ...after] = claim.split(figure);
  return (
    <>
      {before}
      <strong className={classes.figure}>{figure}</strong>
      {after.join(figure)}
    </>
  );
}

/** For Coaches and For Members. The lines of the claims keep their height while the figures load. */
export function Audiences() {
  const { landing } = useLandingTexts();
  const marketing = useConfig()?.marketing;
  return (
    <div className={classes.audiences}>
      <section className={`card ${classes.audience}`}>
        <h2>{landing.coachesTitle}</h2>
        <p className={classes.muted}>{landing.coachesText}</p>
        <p className={classes.claim}>
          {marketing &&
            withFigure(landing.coachesClaim(marketing.topCoachEarnings), marketing.topCoachEarnings)}
        </p>
        <Button component={Link} to="/signup" state={{ isCoach: true }} variant="default">
          {landing.coachesCta}
        </Button>
      </section>
      <section className={`card ${classes.audience}`}>
        <h2>{landing.membersTitle}</h2>
        <p className={classes.muted}>{landing.membersText}</p>
        <p className={classes.claim}>
          {marketing && withFigure(landing.membersClaim(marketing.professionals), marketing.professionals)}
        </p>
        <Button component={Link} to="/signup" variant="default">
          {landing.membersCta}
        </Button>
      </section>
    </div>
  );
}
