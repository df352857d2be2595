import { useLanguage, withShared } from '../../i18n/texts.js';
import { en } from './texts.en.js';

export const directoryTexts = withShared({ en });
export type DirectoryTexts = (typeof directoryTexts)['en'];
export const useDirectoryTexts = (): DirectoryTexts => directoryTexts[useLanguage()];
