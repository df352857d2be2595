import { featureTexts } from '../../i18n/texts.js';
import { en } from './texts.en.js';

export const useReviewTexts = featureTexts({ en });
export type ReviewTexts = ReturnType<typeof useReviewTexts>;
