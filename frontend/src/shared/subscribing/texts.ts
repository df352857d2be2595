import { useLanguage, withShared } from '../../i18n/texts.js';
import { en } from './texts.en.js';

export const subscribingTexts = withShared({ en });
export type SubscribingTexts = (typeof subscribingTexts)['en'];
export const useSubscribingTexts = (): SubscribingTexts => subscribingTexts[useLanguage()];
