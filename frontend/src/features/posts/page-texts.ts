import { featureTexts } from '../../i18n/texts.js';
import { en } from './page-texts.en.js';

export const usePostPageTexts = featureTexts({ en });
