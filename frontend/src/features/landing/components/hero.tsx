import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { useMessages } from '../../../i18n/messages.js';
import classes from './landing.module.css';

/** One beat of the line, 240 units wide, repeated so that it can run without a seam. */
const BEAT = 'h84 l10 -14 l10 14 h14 l12 -66 l14 104 l10 -38 h18 l12 -18 l12 18 h44';

/** Our own moving asset, some 1 KB of SVG; still when motion is to be reduced. */
export function Hero() {
  const { landing } = useMessages();
  return (
    <section className={classes.hero}>
      <svg
        className={classes.pulse}
        viewBox="0 0 960 160"
        preserveAspectRatio="xMidYMid slice"
        role="img"
        aria-label={landing.heroAlt}
      >
        <path className={classes.trace} d={`M-240 96 ${BEAT} ${BEAT} ${BEAT} ${BEAT} ${BEAT} ${BEAT}`} />
        <path
          className={classes.glow}
          d={`M-240 96 ${BEAT} ${BEAT} ${BEAT} ${BEAT} ${BEAT} ${BEAT}`}
          pathLength={1}
        />
      </svg>
      <div className={classes.heroText}>
        <h1 className={classes.title}>{landing.title}</h1>
        <p className={classes.lead}>{landing.lead}</p>
        <Button component={Link} to="/signup" size="lg">
          {landing.join}
        </Button>
      </div>
    </section>
  );
}
