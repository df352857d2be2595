import { useLanguage, withShared } from '../../i18n/texts.js';
import { en } from './texts.en.js';

export const peopleTexts = withShared({ en });
export type PeopleTexts = (typeof peopleTexts)['en'];
export const usePeopleTexts = (): PeopleTexts => peopleTexts[useLanguage()];
