import { confirm } from '../../components/feedback/feedback-store.js';
import { fullDate } from '../../components/relative-time.js';
import type { OwnSubscription } from '../../api/types.js';
import { courseOf } from './subscription.js';
import type { StandingTexts } from './standing-texts.js';

type Asked = Pick<OwnSubscription, 'status' | 'cancelAtPeriodEnd' | 'paid'> & {
  /** The end of the month that is paid, where it is known. */
  currentPeriodEnd?: string | null;
};

/**
 * Asks whether to unsubscribe from a coach, the same wherever the button stands (SUBS-24). Of one that is paid and goes on it
 * says how long access lasts.
 */
export function askToUnsubscribe(
  coach: string,
  subscription: Asked | null | undefined,
  { standing, locale }: StandingTexts,
  returnFocusTo: () => HTMLElement | null,
): Promise<boolean> {
  const isPaid = subscription?.paid && courseOf(subscription) === 'on';
  const end = subscription?.currentPeriodEnd;
  return confirm({
    title: standing.askTitle,
    message: standing.ask(coach),
    detail: isPaid ? (end ? standing.paidUntil(fullDate(end, locale)) : standing.paidUntilEnd) : undefined,
    confirmLabel: standing.unsubscribe,
    cancelLabel: standing.keep,
    returnFocusTo,
  });
}
