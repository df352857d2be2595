import { useLanguage, withShared } from '../../i18n/messages.js';
import { en } from './messages.en.js';

export const notificationMessages = withShared({ en });
export type NotificationMessages = (typeof notificationMessages)['en'];
export const useNotificationMessages = (): NotificationMessages => notificationMessages[useLanguage()];
