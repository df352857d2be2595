import { useLanguage, withShared } from '../../i18n/texts.js';
import { en } from './texts.en.js';

export const postTexts = withShared({ en });
export type PostTexts = (typeof postTexts)['en'];
export const usePostTexts = (): PostTexts => postTexts[useLanguage()];
