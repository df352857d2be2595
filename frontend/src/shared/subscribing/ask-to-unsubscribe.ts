import { confirm } from '../../components/feedback/feedback-store.js';
import type { SubscribingTexts } from './texts.js';

/** Asks whether to unsubscribe from a coach, the same wherever the button stands (SUBS-24). */
export const askToUnsubscribe = (
  coach: string,
  { subscribing }: Pick<SubscribingTexts, 'subscribing'>,
  returnFocusTo: () => HTMLElement | null,
): Promise<boolean> =>
  confirm({
    title: subscribing.askTitle,
    message: subscribing.ask(coach),
    confirmLabel: subscribing.unsubscribe,
    cancelLabel: subscribing.keep,
    returnFocusTo,
  });
