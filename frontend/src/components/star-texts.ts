import { featureTexts } from '../i18n/texts.js';
import { en } from './star-texts.en.js';

export const useStarTexts = featureTexts({ en });
