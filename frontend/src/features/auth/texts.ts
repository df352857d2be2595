import { useLanguage, withShared } from '../../i18n/texts.js';
import { en } from './texts.en.js';

export const authTexts = withShared({ en });
export type AuthTexts = (typeof authTexts)['en'];
export const useAuthTexts = (): AuthTexts => authTexts[useLanguage()];
