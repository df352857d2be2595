import { useLanguage, withShared } from '../../i18n/texts.js';
import { en } from './texts.en.js';

export const messagingTexts = withShared({ en });
export type MessagingTexts = (typeof messagingTexts)['en'];
export const useMessagingTexts = (): MessagingTexts => messagingTexts[useLanguage()];
