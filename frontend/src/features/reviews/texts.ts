import { useLanguage, withShared } from '../../i18n/texts.js';
import { en } from './texts.en.js';

export const reviewTexts = withShared({ en });
export type ReviewTexts = (typeof reviewTexts)['en'];
export const useReviewTexts = (): ReviewTexts => reviewTexts[useLanguage()];
