import { useLanguage, withShared } from '../../i18n/texts.js';
import { en } from './texts.en.js';

export const unsubscribeTexts = withShared({ en });
export type UnsubscribeTexts = (typeof unsubscribeTexts)['en'];
export const useUnsubscribeTexts = (): UnsubscribeTexts => unsubscribeTexts[useLanguage()];
