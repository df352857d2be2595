import { featureTexts } from '../../i18n/texts.js';
import { en } from './texts.en.js';

export const usePasskeyTexts = featureTexts({ en });
export type PasskeyTexts = ReturnType<typeof usePasskeyTexts>;
