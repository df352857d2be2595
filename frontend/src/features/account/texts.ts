import { featureTexts } from '../../i18n/texts.js';
import { en } from './texts.en.js';

export const useAccountTexts = featureTexts({ en });
export type AccountTexts = ReturnType<typeof useAccountTexts>;
