import { useLanguage, withShared } from '../../i18n/texts.js';
import { en } from './texts.en.js';

export const mySubscriptionTexts = withShared({ en });
export type MySubscriptionTexts = (typeof mySubscriptionTexts)['en'];
export const useMySubscriptionTexts = (): MySubscriptionTexts => mySubscriptionTexts[useLanguage()];
