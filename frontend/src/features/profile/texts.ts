import { useLanguage, withShared } from '../../i18n/texts.js';
import { en } from './texts.en.js';

export const profileTexts = withShared({ en });
export type ProfileTexts = (typeof profileTexts)['en'];
export const useProfileTexts = (): ProfileTexts => profileTexts[useLanguage()];
