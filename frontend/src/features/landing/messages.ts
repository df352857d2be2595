import { useLanguage, withShared } from '../../i18n/messages.js';
import { en } from './messages.en.js';

export const landingMessages = withShared({ en });
export type LandingMessages = (typeof landingMessages)['en'];
export const useLandingMessages = (): LandingMessages => landingMessages[useLanguage()];
