import type { Profile } from '../../../api/types.js';
import { price, toMinor } from '../../../i18n/price.js';
import { useStandingTexts } from '../../../shared/subscribing/standing-texts.js';
import classes from './subscribe.module.css';

/** On a coach's own profile: what new subscribers pay; nothing until a price is set (SUBS-25). */
export function OwnPrice({ coach: { subscriptionPrice, subscriptionCurrency } }: { coach: Profile }) {
  const { standing, locale } = useStandingTexts();
  if (subscriptionPrice === null || subscriptionCurrency === null) return null;
  return (
    <p className={classes.own}>
      {standing.forOthers(price(toMinor(subscriptionPrice), subscriptionCurrency, locale))}
    </p>
  );
}
