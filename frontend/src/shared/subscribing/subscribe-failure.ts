import { errorText, hasCode } from '../../server/http/api-error.js';
import type { FeatureTexts } from '../../i18n/texts.js';
import type { en } from './texts.en.js';

/** Why the viewer could not subscribe to a coach (SUBS-14, SUBS-19). */
export function subscribeFailure(
  error: unknown,
  coach: string,
  texts: FeatureTexts<typeof en>,
): string | undefined {
  const { subscribing } = texts;
  if (hasCode(error, 'coach-not-ready')) return subscribing.coachNotReady(coach);
  if (hasCode(error, 'price-not-set')) return subscribing.priceNotSet(coach);
  if (hasCode(error, 'outcome-unknown')) return subscribing.outcomeUnknown;
  return errorText(error, subscribing.failed, texts);
}
