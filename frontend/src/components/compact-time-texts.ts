import { featureTexts } from '../i18n/texts.js';
import { en } from './compact-time-texts.en.js';

export const useCompactTimeTexts = featureTexts({ en });
export type CompactTimeTexts = ReturnType<typeof useCompactTimeTexts>;
