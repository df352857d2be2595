import { featureTexts } from '../../i18n/texts.js';
import { en } from './texts.en.js';

export const useOpenidTexts = featureTexts({ en });
export type OpenidTexts = ReturnType<typeof useOpenidTexts>;
