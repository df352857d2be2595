import { useLanguage, withShared } from '../../i18n/messages.js';
import { en } from './messages.en.js';

export const authMessages = withShared({ en });
export type AuthMessages = (typeof authMessages)['en'];
export const useAuthMessages = (): AuthMessages => authMessages[useLanguage()];
