import { useLanguage, withShared } from '../../i18n/texts.js';
import { en } from './texts.en.js';

export const landingTexts = withShared({ en });
export type LandingTexts = (typeof landingTexts)['en'];
export const useLandingTexts = (): LandingTexts => landingTexts[useLanguage()];
