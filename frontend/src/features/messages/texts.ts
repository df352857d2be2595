import { featureTexts } from '../../i18n/texts.js';
import { en } from './texts.en.js';

export const useMessagingTexts = featureTexts({ en });
export type MessagingTexts = ReturnType<typeof useMessagingTexts>;
