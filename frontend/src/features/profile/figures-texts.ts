import { featureTexts } from '../../i18n/texts.js';
import { en } from './figures-texts.en.js';

export const useFiguresTexts = featureTexts({ en });
