import { featureTexts } from '../../i18n/texts.js';
import { en } from './dashboard-link-texts.en.js';

export const useDashboardLinkTexts = featureTexts({ en });
