import type { Dashboard } from '../../../api/types.js';
import { price, toMinor } from '../../../i18n/price.js';
import { useDashboardTexts } from '../texts.js';
import classes from './dashboard.module.css';

type FiguresProps = Omit<Dashboard, 'subscribers'>;

/** The estimate is at the present price; under it what is really paid, as subscribers keep the price they joined at (SUBS-26). */
export function Figures({
  totalSubscribers,
  activeSubscriptions,
  monthlyRevenue,
  currency,
  monthlyByCurrency,
}: FiguresProps) {
  const { dashboard, locale } = useDashboardTexts();
  const count = new Intl.NumberFormat(locale);
  const money = (amount: number, of: string) => price(toMinor(amount), of, locale);
  const paid = monthlyByCurrency.map((one) => money(one.amount, one.currency));
  return (
    <dl className={classes.figures} aria-label={dashboard.figures}>
      <div className={`card ${classes.figure}`}>
        <dt>{dashboard.total}</dt>
        <dd>{count.format(totalSubscribers)}</dd>
      </div>
      <div className={`card ${classes.figure}`}>
        <dt>{dashboard.active}</dt>
        <dd>{count.format(activeSubscriptions)}</dd>
      </div>
      <div className={`card ${classes.figure}`}>
        <dt>{dashboard.revenue}</dt>
        <dd>{money(monthlyRevenue, currency)}</dd>
        <dd className={classes.paid}>
          {dashboard.paid(paid.length > 0 ? paid.join(' + ') : money(0, currency))}
        </dd>
      </div>
    </dl>
  );
}
