import { featureTexts } from '../../i18n/texts.js';
import { en } from './report-texts.en.js';

export const useReportTexts = featureTexts({ en });
