import { useLanguage, withShared } from '../../i18n/messages.js';
import { en } from './messages.en.js';

export const postMessages = withShared({ en });
export type PostMessages = (typeof postMessages)['en'];
export const usePostMessages = (): PostMessages => postMessages[useLanguage()];
