import { useLanguage, withShared } from '../../i18n/messages.js';
import { en } from './messages.en.js';

export const peopleMessages = withShared({ en });
export type PeopleMessages = (typeof peopleMessages)['en'];
export const usePeopleMessages = (): PeopleMessages => peopleMessages[useLanguage()];
