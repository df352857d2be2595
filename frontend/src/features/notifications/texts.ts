import { useLanguage, withShared } from '../../i18n/texts.js';
import { en } from './texts.en.js';

export const notificationTexts = withShared({ en });
export type NotificationTexts = (typeof notificationTexts)['en'];
export const useNotificationTexts = (): NotificationTexts => notificationTexts[useLanguage()];
