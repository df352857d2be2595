import { featureTexts } from '../../i18n/texts.js';
import { en } from './texts.en.js';

export const useProofTexts = featureTexts({ en });
