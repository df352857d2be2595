import { imageTexts } from '../../../server/images/texts.js';
import { useLanguage } from '../../../i18n/texts.js';
import { en } from './texts.en.js';

export const photoTexts = { en: { ...imageTexts.en, ...en } };
export type PhotoTexts = (typeof photoTexts)['en'];
export const usePhotoTexts = (): PhotoTexts => photoTexts[useLanguage()];
