import { featureTexts } from '../../i18n/texts.js';
import { en } from './edit-texts.en.js';

export const useEditTexts = featureTexts({ en });
