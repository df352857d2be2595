import { featureTexts } from '../../i18n/texts.js';
import { en } from './standing-texts.en.js';

export const useStandingTexts = featureTexts({ en });
export type StandingTexts = ReturnType<typeof useStandingTexts>;
