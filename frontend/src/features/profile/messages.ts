import { useLanguage, withShared } from '../../i18n/messages.js';
import { en } from './messages.en.js';

export const profileMessages = withShared({ en });
export type ProfileMessages = (typeof profileMessages)['en'];
export const useProfileMessages = (): ProfileMessages => profileMessages[useLanguage()];
