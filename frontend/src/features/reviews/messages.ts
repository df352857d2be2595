import { useLanguage, withShared } from '../../i18n/messages.js';
import { en } from './messages.en.js';

export const reviewMessages = withShared({ en });
export type ReviewMessages = (typeof reviewMessages)['en'];
export const useReviewMessages = (): ReviewMessages => reviewMessages[useLanguage()];
