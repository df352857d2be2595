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
 * says how long access lasts, and of one that is not paid for that it ends now.
 */
export function askToUnsubscribe(
  coach: string,
  subscription: Asked | null | undefined,
  { standing, locale }: StandingTexts,
  returnFocusTo: () => HTMLElement | null,
): Promise<boolean> {
  return confirm({
    title: standing.askTitle,
    message: standing.ask(coach),
    detail: detailOf(subscription, { standing, locale }),
    confirmLabel: standing.unsubscribe,
    cancelLabel: standing.keep,
    returnFocusTo,
  });
}

function detailOf(
  subscription: Asked | null | undefined,
  { standing, locale }: Pick<StandingTexts, 'standing' | 'locale'>,
): string | undefined {
  if (!subscription?.paid) return undefined;
  const course = courseOf(subscription);
  if (course === 'unpaid') return standing.endsNow;
  if (course !== 'on') return undefined;
  const end = subscription.currentPeriodEnd;
  return end ? standing.paidUntil(fullDate(end, locale)) : standing.paidUntilEnd;
}
