import { useLanguage, withShared } from '../../i18n/messages.js';
import { en } from './messages.en.js';

export const unsubscribeMessages = withShared({ en });
export type UnsubscribeMessages = (typeof unsubscribeMessages)['en'];
export const useUnsubscribeMessages = (): UnsubscribeMessages => unsubscribeMessages[useLanguage()];
