import { confirm } from '../../components/feedback/feedback-store.js';
import { fullDate } from '../../components/relative-time.js';
import type { OwnSubscription } from '../../api/types.js';
import { courseOf } from './subscription.js';
import type { SubscribingTexts } from './texts.js';

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
  { subscribing, locale }: SubscribingTexts,
  returnFocusTo: () => HTMLElement | null,
): Promise<boolean> {
  const isPaid = subscription?.paid && courseOf(subscription) === 'on';
  const end = subscription?.currentPeriodEnd;
  return confirm({
    title: subscribing.askTitle,
    message: subscribing.ask(coach),
    detail: isPaid
      ? end
        ? subscribing.paidUntil(fullDate(end, locale))
        : subscribing.paidUntilEnd
      : undefined,
    confirmLabel: subscribing.unsubscribe,
    cancelLabel: subscribing.keep,
    returnFocusTo,
  });
}
