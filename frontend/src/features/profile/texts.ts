import { featureTexts } from '../../i18n/texts.js';
import { en } from './texts.en.js';

export const useProfileTexts = featureTexts({ en });
export type ProfileTexts = ReturnType<typeof useProfileTexts>;
