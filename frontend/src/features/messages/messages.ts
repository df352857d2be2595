import { useLanguage, withShared } from '../../i18n/messages.js';
import { en } from './messages.en.js';

export const messagingMessages = withShared({ en });
export type MessagingMessages = (typeof messagingMessages)['en'];
export const useMessagingMessages = (): MessagingMessages => messagingMessages[useLanguage()];
