import { useLanguage, withShared } from '../../i18n/texts.js';
import { en } from './texts.en.js';

export const subscriptionTexts = withShared({ en });
export type SubscriptionTexts = (typeof subscriptionTexts)['en'];
export const useSubscriptionTexts = (): SubscriptionTexts => subscriptionTexts[useLanguage()];
