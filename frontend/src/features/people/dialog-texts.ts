import { featureTexts } from '../../i18n/texts.js';
import { en } from './dialog-texts.en.js';

export const usePeopleDialogTexts = featureTexts({ en });
