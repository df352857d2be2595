import { featureTexts } from '../../i18n/texts.js';
import { en } from './search-texts.en.js';

export const useSearchTexts = featureTexts({ en });
