import { featureTexts } from '../../i18n/texts.js';
import { en } from './texts.en.js';

export const useAuthTexts = featureTexts({ en });
export type AuthTexts = ReturnType<typeof useAuthTexts>;
