import { featureTexts } from '../../i18n/texts.js';
import { en } from './texts.en.js';

export const usePostTexts = featureTexts({ en });
export type PostTexts = ReturnType<typeof usePostTexts>;
