import { featureTexts } from '../../../i18n/texts.js';
import { en } from './texts.en.js';

const getVideoTexts = featureTexts({ en });
export const useVideoTexts = getVideoTexts;
/** For what is no component. */
export const videoTexts = getVideoTexts();
export type VideoTexts = typeof videoTexts;
