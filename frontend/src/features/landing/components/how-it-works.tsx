import { useLandingTexts } from '../texts.js';
import classes from './landing.module.css';

export function HowItWorks() {
  const { landing } = useLandingTexts();
  return (
    <section>
      <h2 className={classes.howTitle}>{landing.howTitle}</h2>
      <ol className={classes.steps}>
        {landing.steps.map((step, index) => (
          <li key={step.title} className={classes.step}>
            <span className={classes.number} aria-hidden>
              {index + 1}
            </span>
            <h3 className={classes.stepTitle}>{step.title}</h3>
            <p className={classes.muted}>{step.text}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}
