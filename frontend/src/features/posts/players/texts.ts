import { featureTexts } from '../../../i18n/texts.js';
import { en } from './player-texts.en.js';

export const usePlayerTexts = featureTexts({ en });
