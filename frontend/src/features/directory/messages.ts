import { useLanguage, withShared } from '../../i18n/messages.js';
import { en } from './messages.en.js';

export const directoryMessages = withShared({ en });
export type DirectoryMessages = (typeof directoryMessages)['en'];
export const useDirectoryMessages = (): DirectoryMessages => directoryMessages[useLanguage()];
