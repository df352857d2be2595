import type { Profile } from '../../../api/types.js';
import { price, toMinor } from '../../../i18n/price.js';
import { useSubscriptionTexts } from '../texts.js';
import classes from './subscribe.module.css';

/** "MX$400.00 per month"; nothing until the coach has set a price. */
export function MonthlyPrice({
  coach: { subscriptionPrice, subscriptionCurrency },
}: {
  coach: Pick<Profile, 'subscriptionPrice' | 'subscriptionCurrency'>;
}) {
  const { subscriptions, locale } = useSubscriptionTexts();
  if (subscriptionPrice === null || subscriptionCurrency === null) return null;
  return (
    <p className={classes.price}>
      <span className={classes.amount}>
        {price(toMinor(subscriptionPrice), subscriptionCurrency, locale)}
      </span>{' '}
      {subscriptions.perMonth}
    </p>
  );
}
