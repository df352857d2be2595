import { useLanguage, withShared } from '../../i18n/texts.js';
import { en } from './texts.en.js';

export const dashboardTexts = withShared({ en });
export type DashboardTexts = (typeof dashboardTexts)['en'];
export const useDashboardTexts = (): DashboardTexts => dashboardTexts[useLanguage()];
